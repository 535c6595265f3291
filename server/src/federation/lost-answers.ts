import { isHopeless, UpstreamError } from '../prometheus/upstream-error.ts'
import type { Answered } from './ask-now.ts'
import type { Reading } from './reading.ts'
import type { LastGood } from './reading-view.ts'

/** Why an answer is none, given what was answered in full a while ago; null: it stands. */
export function lostOf(
  { failures, seriesRead }: Answered,
  good: LastGood | null,
  { atSeconds, windowSeconds }: Reading,
  lastGoodForSeconds: number,
): UpstreamError | null {
  const broken = brokenDown(failures, good, { atSeconds, windowSeconds }, lastGoodForSeconds)
  return broken ?? (seriesRead === 0 ? emptied(good, atSeconds, lastGoodForSeconds) : null)
}

/**
 * What an answer without any series means, where there were some at most `lastGoodForSeconds` ago: series stay for a
 * while when traffic ends. If all go at once, then what holds them went: a Thanos Query whose stores are down answers
 * with nothing, and often without a warning. Null where nothing is lost.
 */
function emptied(
  lastGood: { readonly seriesRead: number; readonly atSeconds: number } | null,
  atSeconds: number,
  lastGoodForSeconds: number,
): UpstreamError | null {
  if (lastGood === null || lastGood.seriesRead === 0) return null
  if (atSeconds - lastGood.atSeconds > lastGoodForSeconds) return null
  const lost = `it answers, but has none of the ${lastGood.seriesRead} series it had`
  return new UpstreamError('empty', `${lost}; look at what it reads from (stores, data directory)`)
}

/**
 * An endpoint that went away between the first question and the last leaves half an answer: then the last good values
 * stand in as a whole, if they are young enough and of the same rate window. Null where there is no such case. Running
 * out of time is none: a question that takes too long each time must not hide what the others tell.
 */
function brokenDown(
  failures: readonly { readonly error: UpstreamError }[],
  lastGood: { readonly atSeconds: number; readonly windowSeconds: number } | null,
  { atSeconds, windowSeconds }: { readonly atSeconds: number; readonly windowSeconds: number },
  lastGoodForSeconds: number,
): UpstreamError | null {
  if (lastGood === null || lastGood.windowSeconds !== windowSeconds) return null
  if (atSeconds - lastGood.atSeconds > lastGoodForSeconds) return null
  return failures.find(({ error }) => isHopeless(error) && error.kind !== 'timeout')?.error ?? null
}
