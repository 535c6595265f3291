// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fleet } from '../../test/incident.ts'
import { ApiProblem } from '../api/problem.ts'
import { ClusterGap } from './gaps-note.tsx'
import { UnreachableNote } from './unreachable-note.tsx'

afterEach(cleanup)

const DAYS_3_SECONDS = 3 * 86_400

test('what is days old is said in days, not as a date that is "old"', () => {
  const updatedAt = Date.now() - DAYS_3_SECONDS * 1000
  render(<UnreachableNote error={new Error('away')} dataUpdatedAt={updatedAt} retry={() => undefined} />)
  expect(screen.getByText(/^data 3 d old/)).toBeInTheDocument()
})

test.each([
  [0, true, 'a silent server is asked again'],
  [502, true, 'so is a proxy'],
  [404, false, 'what is refused stays so'],
])('after status %i it says that it tries again: %s, as %s', (status, tries) => {
  const error = new ApiProblem({ type: 'about:blank', title: 'x', status })
  render(<UnreachableNote error={error} dataUpdatedAt={Date.now()} retry={() => undefined} />)
  expect(screen.queryByText(/trying again by itself/) !== null).toBe(tries)
})

test('a cluster that has been silent for days has no answer for so many of them', () => {
  const silent = { state: 'down', ageSeconds: DAYS_3_SECONDS, reason: 'timeout' } as const
  render(
    fleet.clusters.slice(0, 1).map((one) => <ClusterGap key={one.name} cluster={{ ...one, ...silent }} gaps={[]} />),
  )
  expect(screen.getByText('no answer for 3 d (timeout).')).toBeInTheDocument()
})
