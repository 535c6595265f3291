import type { Verdict } from '@goldseam/server/contract'
import { age } from '../format/age.ts'
import { instant } from '../format/clock.ts'

type SeenTrouble = NonNullable<Verdict['seenTrouble']>

/**
 * What came before a quiet moment, as far as this server looked. `at`: that moment. What is kept or sent has no "ago": it
 * is read later.
 */
export function seenTroubleText({ last, lookingSince }: SeenTrouble, at: string, live: boolean): string {
  if (!live)
    return last === null ? `No trouble seen since ${instant(lookingSince)}.` : `Last trouble seen ${instant(last)}.`
  const ago = (then: string) => agoOf(Date.parse(at), Date.parse(then))
  if (last !== null) return `Last trouble seen ${ago(last)}.`
  return `No trouble seen since this server began to look, ${ago(lookingSince)}.`
}

function agoOf(atMs: number, thenMs: number): string {
  const seconds = (atMs - thenMs) / 1000
  if (seconds < 1) return 'just now'
  return seconds < 24 * 3_600 ? `${age(seconds)} ago` : `on ${instant(thenMs).slice(0, 10)}`
}

export function seenTroubleHint({ last, lookingSince }: SeenTrouble): string {
  const until = last === null ? '' : `seen until ${instant(last)}; `
  return `${until}looking since ${instant(lookingSince)}, while somebody watches`
}
