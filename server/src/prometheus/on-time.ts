import { UpstreamError } from './upstream-error.ts'

/** Some stores shift the time they answer for by a little; more would put values where they do not belong. */
const OFF_TIME_SECONDS = 60

/** Throws `UpstreamError` where a time lies outside of what was asked for; unix seconds. */
export function onTime(atSeconds: number, range: { fromSeconds: number; toSeconds: number }): void {
  const behind = range.fromSeconds - atSeconds
  const off = Math.max(behind, atSeconds - range.toSeconds)
  if (off <= OFF_TIME_SECONDS) return
  const side = behind > 0 ? 'before' : 'after'
  throw new UpstreamError(
    'malformed',
    `its samples are from ${Math.round(off)} s ${side} the time asked for; check its clock and any cache on the way`,
  )
}
