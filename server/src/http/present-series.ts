import type { Series } from '../contract/index.ts'
import { type Axis, instantOf } from '../domain/baseline.ts'
import { enoughFor, readGolden } from '../domain/golden.ts'
import type { Traffic } from '../domain/traffic.ts'
import { flowAt } from '../domain/traffic.ts'
import { time } from './present-golden.ts'

const MOST_POINTS = 300

/** A workload's golden signals over time, as columns. */
export function presentSeries(
  traffic: Traffic | undefined,
  axis: Axis,
  range: { fromSeconds: number; toSeconds: number },
  windowSeconds: number,
): Series {
  const inside = Array.from({ length: axis.steps }, (_, step) => step).filter((step) => {
    const at = instantOf(axis, step)
    return at >= range.fromSeconds - axis.stepSeconds / 2 && at <= range.toSeconds
  })
  const every = Math.max(1, Math.ceil(inside.length / MOST_POINTS))
  const steps = inside.filter((_, index) => index % every === 0)
  const readings = steps.map((step) =>
    traffic === undefined
      ? null
      : readGolden(flowAt(traffic, step), { windowSeconds, seen: true, stale: false }).golden,
  )
  return {
    from: time(range.fromSeconds),
    to: time(range.toSeconds),
    stepSeconds: every * axis.stepSeconds,
    at: steps.map((step) => instantOf(axis, step)),
    requestsPerSecond: readings.map((golden) => golden?.requestsPerSecond ?? null),
    successRatio: readings.map((golden) => golden?.successRatio ?? null),
    inFlight: readings.map((golden) => golden?.inFlight ?? null),
    mean: readings.map((golden) => golden?.latencySeconds.mean ?? null),
    p50: readings.map((golden) => golden?.latencySeconds.p50 ?? null),
    p95: readings.map((golden) => golden?.latencySeconds.p95 ?? null),
    p99: readings.map((golden) => golden?.latencySeconds.p99 ?? null),
    p999: readings.map((golden) => golden?.latencySeconds.p999 ?? null),
    percentileSamples: readings
      .map((golden) => golden?.percentiles && Math.round(golden.percentiles.sampleCount))
      .map((count) => count ?? null),
    enoughFor: readings.map((golden) => (golden === null ? 0 : enoughFor(golden))),
  }
}
