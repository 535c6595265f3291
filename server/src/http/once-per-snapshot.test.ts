import { expect, test } from 'vitest'
import type { Snapshot } from '../federation/snapshot.ts'
import { oncePerSnapshot } from './once-per-snapshot.ts'

test('answers are shared within a snapshot, and many that nobody shares push out none that is asked for', () => {
  const once = oncePerSnapshot()
  const [taken, next] = [{}, {}] as [Snapshot, Snapshot]
  const make = (text: string) => once(taken, text, () => ({ text }))
  const [shared, alone] = [make('shared'), make('alone')]
  for (let viewer = 0; viewer < 200; viewer += 1) {
    make(`filter ${viewer}`)
    expect(make('shared')).toBe(shared)
  }
  expect(make('alone')).not.toBe(alone)
  expect(once(next, 'shared', () => ({ text: 'shared' }))).not.toBe(shared)
})
