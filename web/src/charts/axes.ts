import { clock, type Zone } from '../format/clock.ts'
import { day } from '../format/stretch.ts'
import { type Domain, sharedLogDomain } from './scales.ts'
import type { Point } from './thin.ts'

export const MARGIN = { top: 6, right: 4, bottom: 0, left: 0 } as const
export const X_AXIS_PX = 18
export const Y_AXIS_PX = 44
export const CHART_PX = 112
/** Right of a chart whose lines are named at their ends. */
export const LABELS_PX = 38

/** What every chart of a page shares, so that they line up in time. */
export interface ChartFrame {
  readonly fromMs: number
  readonly toMs: number
  readonly onsetMs: number | null
  /** What "usual" was taken from, where it lies inside of this time. */
  readonly calm: { readonly fromMs: number; readonly toMs: number } | null
  readonly zone: Zone
  /** A part of what is asked does not answer: everything drawn may lack something. */
  readonly partial?: boolean
}

export function timeTicks({ fromMs, toMs }: ChartFrame, width: number): number[] {
  const middle = Math.round((fromMs + toMs) / 2)
  return width < 200 ? [fromMs, toMs] : [fromMs, middle, toMs]
}

/** Shorter ranges have a clock at each end that tells more than the day. */
const DAYS_MS = 47 * 3_600_000

/** The clock, or the day alone: there is no room for both. */
export function timeLabel({ fromMs, toMs, zone }: ChartFrame): (atMs: number) => string {
  const days = toMs - fromMs >= DAYS_MS
  return (atMs) => (days ? day(atMs, zone) : clock(atMs, zone))
}

/** From the smallest median to the largest tail, with a little air. */
export function latencyDomain(points: readonly Point[], usualP99: number | null): Domain {
  const [low, high] = sharedLogDomain([points.flatMap(({ p50, p99, p999 }) => [p50, p999 ?? p99]), [usualP99]])
  return [low * 0.85, high * 1.2]
}

/** `auto`: seconds where the axis reaches one. */
export type LatencyUnit = 'auto' | 'ms' | 's'

/** Names the ticks of one latency axis, all of them in one unit: "0.1 s", "1 s". */
export function latencyTick(unit: LatencyUnit, [, high]: Domain): (seconds: number) => string {
  const inSeconds = unit === 's' || (unit === 'auto' && high >= 1)
  // A space that no line breaks at.
  return (seconds) => `${Number((inSeconds ? seconds : seconds * 1000).toPrecision(6))}\u00a0${inSeconds ? 's' : 'ms'}`
}

/** From zero to a round number above the highest value. */
export function zeroDomain(values: readonly (number | null)[], usual: number | null): Domain {
  const high = values.reduce<number>((most, value) => Math.max(most, value ?? 0), usual ?? 0)
  return [0, high > 0 ? roundUp(high * 1.1) : 1]
}

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((candidate) => candidate * power >= value) ?? 10
  return step * power
}
