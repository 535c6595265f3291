import { shortCount } from '../format/rate.ts'
import type { ChartFrame } from './axes.ts'
import type { Point } from './thin.ts'

/** In the order of what they need: each takes more requests than the one before. */
const ORDER: readonly string[] = ['p50', 'p95', 'p99', 'p999']

/** Whether a percentile rests on so few requests at a point that chance decides it; the server's rule. */
export function isEstimate(point: Point, of: Exclude<keyof Point, 'atMs'>): boolean {
  return point[of] !== null && ORDER.indexOf(of) >= point.enoughFor
}

/** Of a line from which something may lack; pixels. */
export const PARTIAL_DASH = '6 4'

/** The signs of doubt that a chart of these points shows, in words; for a legend. */
export function doubtsOf(
  points: readonly Point[],
  of: 'p99' | null,
  { partial }: Pick<ChartFrame, 'partial'>,
): string[] {
  return [
    ...(of !== null && points.some((point) => isEstimate(point, of)) ? ['thin: few requests'] : []),
    ...(partial ? ['dashed: partial'] : []),
  ]
}

interface Told {
  readonly label: string
  readonly value: number | null
  readonly print: (value: number) => string
}

/** What a reading at one point adds to its numbers in one line, so that they are not taken for more than they are. */
export function doubtLines(point: Point, of: 'p99' | null, { partial }: Pick<ChartFrame, 'partial'>): Told[] {
  const few = of !== null && isEstimate(point, of)
  if (!few && !partial) return []
  const counted = point.samples === null ? '' : ` (${shortCount(point.samples)})`
  const text = [...(few ? [`~ few requests${counted}`] : []), ...(partial ? ['partial data'] : [])].join(', ')
  return [{ label: '', value: 0, print: () => text }]
}
