import type { EdgeView } from '../contract/index.ts'
import { readGolden } from '../domain/golden.ts'
import type { MeasuredEdge } from '../domain/graph-of.ts'
import type { Flow } from '../domain/traffic.ts'

/** The rows of a fleet have mostly the same instants. */
let lastTime = { unixSeconds: Number.NaN, text: '' }

/** Unix seconds as RFC 3339 in UTC. */
export function time(unixSeconds: number): string {
  if (unixSeconds !== lastTime.unixSeconds)
    lastTime = { unixSeconds, text: new Date(Math.round(unixSeconds * 1000)).toISOString() }
  return lastTime.text
}

export function timeOrNull(unixSeconds: number | null): string | null {
  return unixSeconds === null ? null : time(unixSeconds)
}

/** Fewer buckets than this tell an order of magnitude. */
const LEAST_BOUNDS = 7

/** One end of an edge; null when that end measured nothing. */
export function presentEnd(
  flow: Flow,
  windowSeconds: number,
  { measure, attempts }: Pick<MeasuredEdge['edge'], 'measure' | 'attempts'>,
): EdgeView | null {
  if (flow.requestsPerSecond === null) return null
  const reading = readGolden(flow, { windowSeconds, seen: true, stale: false })
  const { mean } = reading.golden.latencySeconds
  // Linkerd's route metrics have five buckets: their bounds can be told, three digits would be invented.
  const { histogram } = flow
  const few = histogram !== null && 'upperBounds' in histogram && histogram.upperBounds.length < LEAST_BOUNDS
  const coarse = few ? { mean, p50: null, p95: null, p99: null, p999: null } : null
  return {
    ...reading.golden,
    latencySeconds: coarse ?? reading.golden.latencySeconds,
    bounds: reading.bounds,
    measure,
    attempts,
  }
}
