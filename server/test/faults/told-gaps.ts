import { expect } from 'vitest'
import type { Gap } from '../../src/contract/index.ts'
import type { Seen } from './screen.ts'
import { INSTANT_LAG_SECONDS, OLDEST_INSTANT_SECONDS, REFRESH_SECONDS, SOFT_DEADLINE_SECONDS } from './timing.ts'

export interface TrueGap {
  readonly what: string
  readonly why: string
  readonly detail: string | RegExp
  /** What is asked behind snapshots, and may fail where the snapshot does not; default: none of it. */
  readonly beside?: readonly string[]
}

/** What stands for the cause until it is known, on a machine so busy that it takes longer than the deadline. */
const STILL_WAITING: TrueGap = {
  what: 'everything',
  why: 'slow',
  detail: `no answer within ${SOFT_DEADLINE_SECONDS} s; still waiting for it`,
}
/** An endpoint is left alone for one and a half refreshes at most. */
const LONGEST_PAUSE_SECONDS = Math.ceil(1.5 * REFRESH_SECONDS)
const NEXT_TRY = /; next try in (\d+) s$/

/** Seconds until the next try, as the gaps of a snapshot say it. */
export function nextTries({ gaps }: Seen): number[] {
  return gaps.flatMap(({ detail }) => NEXT_TRY.exec(detail)?.slice(1).map(Number) ?? [])
}

/**
 * (b) What every single snapshot of a fault has to say: one gap, of the faulty cluster, with its cause in the exact
 * words, and since when: since the first snapshot in a row that had it, which was asked for when the fault was there.
 */
export function expectGaps(seen: readonly Seen[], gap: TrueGap, beganAtSeconds: number): void {
  let first: Seen | null = null
  let isKnown = false
  for (const one of seen) {
    const isBeside = ({ what }: Gap) => gap.beside?.includes(what) === true
    for (const told of one.gaps.filter(isBeside)) expectBeside(told, gap, beganAtSeconds, one)
    const gaps = one.gaps.filter((told) => !isBeside(told))
    first = gaps.length === 0 ? null : (first ?? one)
    if (first === null) continue
    const waits: boolean = !isKnown && gaps.every(({ why }) => why === STILL_WAITING.why)
    isKnown = !waits
    const { what, why, detail } = waits ? STILL_WAITING : gap
    expect(gaps.map(withoutNextTry)).toEqual([
      { cluster: 'west', what, why, detail: inWords(detail), since: time(first.atSeconds) },
    ])
    expect(first.atSeconds).toBeGreaterThan(beganAtSeconds - OLDEST_INSTANT_SECONDS)
    expect(first.atSeconds).toBeLessThanOrEqual(first.seenAtSeconds - INSTANT_LAG_SECONDS)
    for (const seconds of nextTries(one)) {
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(LONGEST_PAUSE_SECONDS)
    }
  }
}

/** What is asked behind a snapshot fails by itself, at a moment of its own. */
function expectBeside(told: Gap, { why, detail }: TrueGap, beganAtSeconds: number, { seenAtSeconds }: Seen): void {
  expect(withoutNextTry(told)).toMatchObject({ cluster: 'west', why, detail: inWords(detail) })
  const since = Date.parse(told.since) / 1_000
  expect(since).toBeGreaterThan(beganAtSeconds - OLDEST_INSTANT_SECONDS)
  expect(since).toBeLessThanOrEqual(seenAtSeconds)
}

function inWords(detail: string | RegExp): unknown {
  return typeof detail === 'string' ? detail : expect.stringMatching(detail)
}

function withoutNextTry(gap: Gap): Gap {
  return { ...gap, detail: gap.detail.replace(NEXT_TRY, '') }
}

function time(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString()
}
