/** Less than this was a click. */
const LEAST_PX = 8
/** A shorter window holds too few scrapes to show anything. */
const LEAST_MS = 60_000

interface Plot {
  readonly leftPx: number
  readonly rightPx: number
}

/** The time between two places of a chart; null for what was a click, or lies outside. At least a minute. */
export function brushed(
  fromPx: number,
  toPx: number,
  { leftPx, rightPx }: Plot,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): { fromMs: number; toMs: number } | null {
  if (Math.abs(toPx - fromPx) < LEAST_PX || rightPx <= leftPx) return null
  const inside = (x: number) => Math.min(rightPx, Math.max(leftPx, x))
  const at = (x: number) => fromMs + ((inside(x) - leftPx) / (rightPx - leftPx)) * (toMs - fromMs)
  const start = at(Math.min(fromPx, toPx))
  const end = at(Math.max(fromPx, toPx))
  if (end <= start) return null
  const middle = (start + end) / 2
  const half = Math.max(end - start, Math.min(LEAST_MS, toMs - fromMs)) / 2
  // Near an end of the chart the minute lies inside it.
  const shift = Math.max(0, fromMs - (middle - half)) - Math.max(0, middle + half - toMs)
  return { fromMs: Math.round(middle - half + shift), toMs: Math.round(middle + half + shift) }
}
