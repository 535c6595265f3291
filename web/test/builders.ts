import type { Edge, EdgeView, Golden, HeldTo, Snapshot, Suspect, Truths, Workload } from '@goldseam/server/contract'
import { parseWorkloadId } from '../src/format/workload-name.ts'

/** The instant all fixtures were taken at; the series end there. */
export const AT = '2026-11-21T03:31:10Z'
const STEP_SECONDS = 30
const TREND_POINTS = 60
const PERCENTILES = ['p50', 'p95', 'p99', 'p999'] as const

/** The bucket bounds, in seconds, that percentiles are read from. */
const BOUNDS = [
  0.001, 0.002, 0.003, 0.004, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 1, 2, 3, 4, 5, 10, 20, 30,
  40, 50,
]

export const snapshot: Snapshot = {
  id: 'fixture-1',
  at: AT,
  rateWindowSeconds: 60,
  compare: { from: '2026-11-21T02:41:00Z', to: '2026-11-21T03:11:00Z' },
  compareNote: null,
  refreshSeconds: 10,
}

export function golden(requestsPerSecond: number, meanSeconds: number, failures = 0): Golden {
  return {
    requestsPerSecond,
    failuresPerSecond: requestsPerSecond * failures,
    successRatio: requestsPerSecond > 0 ? 1 - failures : null,
    sampleCount: requestsPerSecond * 60,
    percentiles: { sampleCount: requestsPerSecond * 60, ageSeconds: 0 },
    inFlight: requestsPerSecond * meanSeconds,
    latencySeconds: {
      mean: meanSeconds,
      p50: meanSeconds * 0.92,
      p95: meanSeconds * 2.4,
      p99: meanSeconds * 2.9,
      p999: meanSeconds * 3.9,
    },
  }
}

export const nothing: Golden = {
  requestsPerSecond: 0,
  failuresPerSecond: 0,
  successRatio: null,
  sampleCount: 0,
  percentiles: null,
  inFlight: null,
  latencySeconds: { mean: null, p50: null, p95: null, p99: null, p999: null },
}

export function bucketOf(seconds: number | null): [number, number | null] | null {
  if (seconds === null) return null
  const index = BOUNDS.findIndex((bound) => seconds <= bound)
  return index < 0 ? [50, null] : [BOUNDS[index - 1] ?? 0, BOUNDS[index] ?? null]
}

export function truthsOf({ requestsPerSecond, sampleCount }: Golden): Truths {
  const none = requestsPerSecond === 0
  const percentile = (least: number) => (none ? 'noTraffic' : (sampleCount ?? 0) < least ? 'lowSample' : 'value')
  return {
    requestsPerSecond: none ? 'zero' : 'value',
    successRatio: none ? 'noTraffic' : 'value',
    mean: none ? 'noTraffic' : 'value',
    p50: percentile(20),
    p95: percentile(200),
    p99: percentile(1_000),
    p999: percentile(10_000),
  }
}

/** A number between 0 and 1 that is the same on every run. */
export function steady(seed: number): number {
  const wave = Math.sin(seed * 12.9898) * 43_758.5453
  return wave - Math.floor(wave)
}

/** From the usual value to the present one, with the change at two fifths of the window. */
function history(usual: number | null, now: number | null, seed: number): (number | null)[] {
  return Array.from({ length: TREND_POINTS }, (_, index) => {
    const value = index < TREND_POINTS * 0.4 ? usual : now
    return value === null ? null : value * (0.85 + 0.3 * steady(seed + index))
  })
}

/** What the server would judge by: half as much again as usual, or 20 ms more; critical from three times on. */
export function heldTo({ requestsPerSecond, sampleCount }: Golden, usual: Golden): HeldTo | null {
  const mean = usual.latencySeconds.mean
  if (!requestsPerSecond) return null
  if ((sampleCount ?? 0) < 20) return { mean: null, failures: null, tooFewBelow: 20 }
  const limit = mean === null ? null : Number(Math.max(1.5 * mean, mean + 0.02).toPrecision(3))
  return {
    mean: mean === null || limit === null ? null : [limit, Math.max(limit, Number((3 * mean).toPrecision(3)))],
    failures: [Math.max(0.01, Number((10 / (sampleCount ?? 1)).toPrecision(2))), 0.05],
  }
}

export function workload(id: string, now: Golden, usual: Golden, change: Partial<Workload> = {}): Workload {
  const { cluster, namespace, name } = parseWorkloadId(id) ?? { cluster: '', namespace: '', name: id }
  const { latencySeconds } = now
  const p99 = usual.latencySeconds.p99
  const grown = latencySeconds.p99 !== null && p99 !== null && p99 > 0 ? latencySeconds.p99 / p99 : null
  const seed = [...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  return {
    id,
    cluster,
    namespace,
    kind: name.includes(':') ? (name.split(':')[0] ?? 'deployment') : 'deployment',
    name,
    role: 'workload',
    pods: 3,
    truth: now.requestsPerSecond === 0 ? 'noTraffic' : 'value',
    truths: truthsOf(now),
    bounds: {
      p50: bucketOf(latencySeconds.p50),
      p95: bucketOf(latencySeconds.p95),
      p99: bucketOf(latencySeconds.p99),
      p999: bucketOf(latencySeconds.p999),
    },
    now,
    usual,
    ageSeconds: null,
    own: { seconds: null, lowSeconds: null, highSeconds: null, of: null, share: null, ofSelf: null, reason: null },
    health: now.requestsPerSecond === 0 ? 'none' : 'ok',
    heldTo: change.truth === 'stale' ? null : heldTo(now, usual),
    change: grown === null || grown < 2 ? '' : grown < 4 ? '+' : grown < 10 ? '++' : '+++',
    changeRatio: grown,
    onset: null,
    suspectRank: null,
    via: null,
    tcp: null,
    signals: [],
    seenBy: ['linkerd'],
    rateIs: 'exact',
    successIs: 'exact',
    inFlightIs: 'steady',
    limitLeft: null,
    notes: [],
    trend: {
      from: '2026-11-21T03:01:10Z',
      stepSeconds: STEP_SECONDS,
      p99Seconds: history(p99, latencySeconds.p99, seed),
      usualP99Seconds: p99 === null ? null : [p99 * 0.8, p99 * 1.25],
    },
    ...change,
  }
}

export function edgeView(view: Golden, change: Partial<EdgeView> = {}): EdgeView {
  const bounds = Object.fromEntries(PERCENTILES.map((name) => [name, bucketOf(view.latencySeconds[name])]))
  return {
    ...view,
    bounds: { p50: null, p95: null, p99: null, p999: null, ...bounds },
    measure: 'firstByte',
    attempts: 'each',
    ...change,
  }
}

/** What a caller knows of one host behind a shared ingress: the exact mean, and coarse buckets only. */
export function hostView(view: Golden): EdgeView {
  return edgeView(
    { ...view, latencySeconds: { ...view.latencySeconds, p50: null, p95: null, p99: null, p999: null } },
    { bounds: { p50: [0.5, 1], p95: [1, 10], p99: [1, 10], p999: [1, 10] } },
  )
}

export function edge(from: string, to: string, now: Golden, usual: Golden, change: Partial<Edge> = {}): Edge {
  const seam = parseWorkloadId(from)?.cluster !== parseWorkloadId(to)?.cluster
  return {
    from,
    to,
    seam,
    confidence: seam ? 'dashed' : 'solid',
    rule: seam ? 'host' : 'labels',
    evidence: [],
    destination: null,
    via: null,
    seenFrom: 'both',
    caller: edgeView(now),
    callee: edgeView(now),
    usual,
    callsPerRequest: 1,
    accountedRatio: 0.98,
    seamSeconds: 0.007,
    calleeMean: 'all',
    ageSeconds: null,
    tcp: null,
    signals: [],
    notes: [],
    ...change,
  }
}

export function suspect(id: string, change: Partial<Suspect> = {}): Suspect {
  return {
    id,
    rank: 1,
    word: 'strong',
    trouble: 'latency',
    own: { seconds: null, lowSeconds: null, highSeconds: null, of: null, share: null, ofSelf: null, reason: null },
    deltaSeconds: null,
    path: [id],
    victims: [],
    onset: null,
    hints: [],
    evidence: [],
    wouldClear: [],
    timeline: [],
    ...change,
  }
}
