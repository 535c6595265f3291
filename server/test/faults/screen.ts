import { expect } from 'vitest'
import type { Fleet, Gap } from '../../src/contract/index.ts'
import { RATE, toldAtSeconds } from './telling-mesh.ts'
import { OLDEST_INSTANT_SECONDS, TWO_REFRESHES_SECONDS } from './timing.ts'

/** A snapshot as it came on screen; unix seconds. */
export interface Seen {
  readonly id: string
  /** The instant it is of. */
  readonly atSeconds: number
  readonly seenAtSeconds: number
  /** When the healthy cluster told what is in it. */
  readonly toldAtSeconds: number
  /** A late answer came in and amended the one before: nobody was asked anew. */
  readonly isAmended: boolean
  /** Of the faulty cluster. */
  readonly state: string | undefined
  readonly gaps: readonly Gap[]
}

/** (a) A page that looks again and again: what it shows of the healthy cluster `east` has to stay good, and young. */
export interface Screen {
  look(): Promise<Fleet>
  /** Each snapshot once, oldest first. */
  readonly seen: readonly Seen[]
}

export function openScreen(get: (path: string) => Promise<{ body: never }>): Screen {
  const seen: Seen[] = []
  return {
    seen,
    async look() {
      const fleet = (await get('/api/v1/fleet')).body as Fleet
      const seenAtSeconds = Date.now() / 1_000
      const before = seen.at(-1)
      // It was on screen until this very moment.
      if (before !== undefined) expectYoung(before, seenAtSeconds)
      const state = (name: string) => fleet.clusters.find((cluster) => cluster.name === name)?.state
      const row = fleet.workloads.find(({ id }) => id === 'east/shop/web')
      expect(state('east')).toBe('ok')
      expect(row).toMatchObject({ truth: 'value', now: { requestsPerSecond: expect.closeTo(RATE, 0) } })
      expect(fleet.gaps.filter(({ cluster }) => cluster !== 'west')).toEqual([])
      const { id, at } = fleet.snapshot
      const told = toldAtSeconds(row?.now.requestsPerSecond ?? RATE)
      if (id !== before?.id)
        seen.push({
          ...{ id, atSeconds: Date.parse(at) / 1_000, seenAtSeconds, toldAtSeconds: told },
          ...{ isAmended: told === before?.toldAtSeconds, state: state('west'), gaps: fleet.gaps },
        })
      return fleet
    },
  }
}

function expectYoung({ toldAtSeconds, atSeconds }: Seen, nowSeconds: number): void {
  expect(nowSeconds - toldAtSeconds, "age of the healthy cluster's rows").toBeLessThan(TWO_REFRESHES_SECONDS)
  const oldestSeconds = TWO_REFRESHES_SECONDS + OLDEST_INSTANT_SECONDS
  expect(nowSeconds - atSeconds, 'age of the instant they are of').toBeLessThan(oldestSeconds)
}
