import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CalmVote } from './calm-vote.ts'

const NOBODY: ReadonlySet<string> = new Set()

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('calls stand when the last cluster has said that nothing moved, and not before', async () => {
  const vote = new CalmVote(2, 10, NOBODY)
  vote.stays()
  expect(vote.asked).toBeNull()
  vote.stays()
  expect(await vote.mustAsk).toBe(false)
  expect(vote.asked).toBe(false)
  // Nobody is asked for calls twice.
  vote.moves()
  expect(vote.asked).toBe(false)
})

test('one that says otherwise is enough, and nobody waits for the others', async () => {
  const vote = new CalmVote(3, 10, NOBODY)
  vote.stays()
  vote.moves()
  expect(await vote.mustAsk).toBe(true)
  vote.stays()
  vote.stays()
  expect(vote.asked).toBe(true)
})

test('nobody waits for a cluster that is silent', async () => {
  const vote = new CalmVote(2, 1, NOBODY)
  vote.stays()
  vi.advanceTimersByTime(999)
  expect(vote.asked).toBeNull()
  vi.advanceTimersByTime(1)
  expect(await vote.mustAsk).toBe(true)
})

test('no timer is left when it is decided', () => {
  const vote = new CalmVote(1, 60, NOBODY)
  vote.stays()
  expect(vi.getTimerCount()).toBe(0)
})
