import { UpstreamError } from '../prometheus/upstream-error.ts'

/**
 * What an answer without any series means, where there were some at most `lastGoodForSeconds` ago: series stay for a
 * while when traffic ends. If all go at once, then what holds them went: a Thanos Query whose stores are down answers
 * with nothing, and often without a warning. Null where nothing is lost.
 */
export function emptied(
  lastGood: { readonly seriesRead: number; readonly atSeconds: number } | null,
  atSeconds: number,
  lastGoodForSeconds: number,
): UpstreamError | null {
  if (lastGood === null || lastGood.seriesRead === 0) return null
  if (atSeconds - lastGood.atSeconds > lastGoodForSeconds) return null
  const lost = `it answers, but has none of the ${lastGood.seriesRead} series it had`
  return new UpstreamError('empty', `${lost}; look at what it reads from (stores, data directory)`)
}
