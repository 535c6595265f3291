import type { Edge, EdgeView, Golden, Truth } from '@goldseam/server/contract'
import { tcpTexts } from '../format/bytes.ts'
import type { Reading } from '../ui/metric-text.ts'

/** Below this many requests a percentile is an estimate; below a tenth of it, it is no number at all. */
const LEAST_SAMPLES = { p50: 20, p95: 200, p99: 1_000, p999: 10_000 } as const
type Percentile = keyof typeof LEAST_SAMPLES

/** How the caller sees the callee; where only the callee's cluster answers, its view stands in. */
export function viewOf(edge: Edge): EdgeView | null {
  return edge.caller ?? edge.callee
}

/** How old each end is, null where it is of now. What was saved before ends were told apart has one age for both. */
export function agesOf(edge: Edge): { readonly caller: number | null; readonly callee: number | null } {
  const { ageSeconds, callerAgeSeconds = ageSeconds, calleeAgeSeconds = ageSeconds } = edge
  return { caller: callerAgeSeconds, callee: calleeAgeSeconds }
}

/** How old that is which `viewOf` shows. */
export function viewAge(edge: Edge): number | null {
  const { caller, callee } = agesOf(edge)
  return edge.caller === null && edge.callee !== null ? callee : caller
}

export function rateReading(view: EdgeView | null, ageSeconds: number | null): Reading {
  const value = view?.requestsPerSecond ?? null
  const now = value === 0 ? 'zero' : undefined
  return { kind: 'rate', label: 'rate', value, truth: asOld(value, ageSeconds) ?? now, ageSeconds }
}

export function meanReading(view: EdgeView | null, ageSeconds: number | null): Reading {
  const value = view?.latencySeconds.mean ?? null
  const now = value === null && view?.requestsPerSecond === 0 ? 'noTraffic' : undefined
  return { kind: 'latency', label: 'mean', value, truth: asOld(value, ageSeconds) ?? now, ageSeconds }
}

export function successReading(view: EdgeView | null, ageSeconds: number | null): Reading {
  const value = view?.successRatio ?? null
  const now = value === null && view?.requestsPerSecond === 0 ? 'noTraffic' : undefined
  const truth = asOld(value, ageSeconds) ?? now
  return { kind: 'success', label: 'success', value, truth, sampleCount: view?.sampleCount, ageSeconds }
}

function asOld(value: number | null, ageSeconds: number | null): Truth | undefined {
  return value !== null && ageSeconds !== null ? 'stale' : undefined
}

export function percentileTruth(view: EdgeView, name: Percentile, ageSeconds: number | null): Truth {
  const value = view.latencySeconds[name]
  if (view.requestsPerSecond === 0) return 'noTraffic'
  if (value === null) return 'neverSeen'
  if (ageSeconds !== null) return 'stale'
  if (view.bounds[name]?.[1] === null) return 'offScale'
  return view.sampleCount !== null && view.sampleCount < LEAST_SAMPLES[name] ? 'lowSample' : 'value'
}

export function percentileReading(view: EdgeView, name: Percentile, ageSeconds: number | null): Reading {
  const truth = percentileTruth(view, name, ageSeconds)
  const tooFew = view.sampleCount !== null && view.sampleCount < LEAST_SAMPLES[name] / 10
  return {
    kind: 'latency',
    label: name,
    truth,
    value: truth === 'lowSample' && tooFew ? null : view.latencySeconds[name],
    bucket: view.bounds[name],
    sampleCount: view.percentiles?.sampleCount ?? view.sampleCount,
    olderSeconds: view.percentiles?.ageSeconds,
    ageSeconds,
  }
}

/** A percentile of which only the bucket is known ("1-10 s"), because the labels share one fine series among several hosts. */
export function boundsOnly(view: EdgeView, name: Percentile): readonly [number, number | null] | null {
  return view.latencySeconds[name] === null ? view.bounds[name] : null
}

/** Now against usual: of p99, or of the mean where p99 is not to be had on both sides. */
export function changeOf(now: Golden | null, usual: Golden | null): number | null {
  if (!now || !usual) return null
  for (const name of ['p99', 'mean'] as const) {
    const value = now.latencySeconds[name]
    const was = usual.latencySeconds[name]
    if (value !== null && was !== null && was > 0 && value > 0) return value / was
  }
  return null
}

/** What is known of calls in which nobody sees requests; null where somebody does. */
export function onlyBytes(edge: Edge): string | null {
  const texts = viewOf(edge) === null ? tcpTexts(edge.tcp) : []
  return texts.length === 0 ? null : `TCP only: ${texts.join(', ')}`
}
