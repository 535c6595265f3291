import { expect, test } from 'vitest'
import { PastSnapshots } from './past-snapshots.ts'
import type { Snapshot } from './snapshot.ts'

const snapshot = (id: string) => ({ id, situation: { clusters: new Map() } }) as unknown as Snapshot

test('one in which something is missing stands for a while, a whole one for good', () => {
  const kept = new PastSnapshots(1_000)
  kept.put('whole', snapshot('whole'))
  kept.put('half', snapshot('half'), 1_010)
  expect(kept.get('half', 1_009)?.id).toBe('half')
  expect(kept.get('half', 1_010)).toBeNull()
  expect(kept.get('whole', 99_999)?.id).toBe('whole')
  kept.put('half', snapshot('whole now'))
  expect(kept.get('half', 99_999)?.id).toBe('whole now')
})

test('one that is too large on its own takes no other one from those who look at it', () => {
  const kept = new PastSnapshots(1_000)
  kept.put('small', snapshot('small'))
  const observation = {
    inbound: new Map(),
    outbound: new Map([['edge', { traffic: { buckets: new Map() } }]]),
    steps: 99,
  }
  const clusters = new Map([['east', { now: observation }]])
  kept.put('large', { id: 'large', situation: { clusters } } as unknown as Snapshot)
  expect(kept.get('large', 0)).toBeNull()
  expect(kept.get('small', 0)?.id).toBe('small')
})
