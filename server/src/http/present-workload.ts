import type { HeldTo, Workload } from '../contract/index.ts'
import type { Golden } from '../domain/golden.ts'
import type { HeldTo as Yardstick } from '../domain/held-to.ts'
import { localName } from '../domain/identity.ts'
import type { WorkloadRow } from '../domain/row.ts'
import { offSince } from '../domain/trouble.ts'
import type { ClusterSummary } from '../federation/snapshot.ts'
import { allWithDigits, columnWithDigits, withDigits } from './digits.ts'
import { time, timeOrNull } from './present-golden.ts'
import { presentSignals, presentTcp } from './present-mesh.ts'

/** How many digits the present has. */
export interface WorkloadDigits {
  readonly now: GoldenDigits
  readonly own: number
  /** How far the own time may be off. */
  readonly ownRange: number
  readonly tcp: number
}

interface GoldenDigits {
  /** Requests and failures. */
  readonly perSecond: number
  readonly success: number
  /** Of numbers that are made of the others, and tell whether these can be trusted. */
  readonly count: number
  readonly inFlight: number
  readonly latency: number
}

/** Two digits more than are needed to tell our numbers from Prometheus' own to 1e-9. */
const NOW_DIGITS = 11
const COUNT_DIGITS = 6

/** For programs that reckon with them. */
export const EXACT: WorkloadDigits = {
  now: {
    perSecond: NOW_DIGITS,
    success: NOW_DIGITS,
    count: COUNT_DIGITS,
    inFlight: COUNT_DIGITS,
    latency: NOW_DIGITS,
  },
  own: 6,
  ownRange: 4,
  tcp: 5,
}
/** A screen shows three, and five of a latency in minutes. The others were a seventh of a fleet's bytes. */
export const SHOWN: WorkloadDigits = {
  // 99.9999 % must not become 100 %.
  now: { perSecond: 6, success: NOW_DIGITS, count: COUNT_DIGITS, inFlight: 4, latency: 5 },
  own: 4,
  ownRange: 3,
  tcp: 3,
}

const SHARE_DIGITS = 6
/** What the present is held against at a glance. */
const USUAL_DIGITS = 3
const USUAL: GoldenDigits = {
  perSecond: USUAL_DIGITS,
  success: USUAL_DIGITS,
  count: USUAL_DIGITS,
  inFlight: USUAL_DIGITS,
  latency: USUAL_DIGITS,
}
const RATIO_DIGITS = 4
/** A limit is read, not reckoned with. */
const LIMIT_DIGITS = { mean: 3, failures: 2 }
/** A sparkline is some twenty pixels high, and they are most of a fleet's bytes. */
const TREND_DIGITS = 2

/** `clusters`: those of the snapshot that the row is of. */
export function presentWorkload(
  row: WorkloadRow,
  clusters: readonly ClusterSummary[],
  digits: WorkloadDigits = EXACT,
): Workload {
  const { workload, reading, own, trend } = row
  const seenBy = [...(row.inbound?.seenBy ?? [])]
  const cluster = clusters.find(({ name }) => name === workload.ref.cluster)
  const speaks = cluster?.speaks.find(({ name }) => name === seenBy[0])
  return {
    id: workload.id,
    cluster: workload.ref.cluster,
    namespace: workload.ref.namespace,
    kind: workload.ref.kind,
    name: localName(workload.ref),
    role: row.role,
    pods: workload.podsNow,
    truth: reading.truth,
    truths: reading.truths,
    bounds: reading.bounds,
    now: presentGolden(reading.golden, digits.now),
    usual: presentGolden(row.usual, USUAL),
    // Where a cluster may be asked only now and then, what is told is older than the snapshot and no less true.
    ageSeconds: workload.ageSeconds > 0 ? workload.ageSeconds : null,
    own: {
      seconds: digitsOf(own.seconds, digits.own),
      lowSeconds: digitsOf(own.lowSeconds, digits.ownRange),
      highSeconds: digitsOf(own.highSeconds, digits.ownRange),
      of: own.of,
      share: digitsOf(own.share, SHARE_DIGITS),
      ofSelf: digitsOf(own.ofSelf, digits.own),
      reason: own.reason,
    },
    health: row.health,
    heldTo: row.heldTo === null ? null : presentHeldTo(row.heldTo),
    change: row.change,
    changeRatio: row.changeRatio === null ? null : withDigits(row.changeRatio, RATIO_DIGITS),
    onset: timeOrNull(offSince(workload.trouble)),
    suspectRank: row.suspectRank,
    via: row.via,
    tcp: allWithDigits(presentTcp(row.inbound?.tcp), digits.tcp),
    signals: presentSignals(row.signals),
    seenBy,
    rateIs: speaks?.sampled ? 'atLeast' : 'exact',
    successIs: speaks?.countsFirstFailures === false ? 'atLeast' : 'exact',
    inFlightIs: row.inFlightEstimated ? 'estimate' : 'steady',
    limitLeft: row.limitLeft === null ? null : withDigits(row.limitLeft, RATIO_DIGITS),
    notes: [...row.notes],
    trend: {
      from: time(trend.fromSeconds),
      stepSeconds: trend.stepSeconds,
      p99Seconds: columnWithDigits(trend.p99Seconds, TREND_DIGITS),
      usualP99Seconds: allWithDigits(trend.usualP99Seconds, USUAL_DIGITS),
    },
  }
}

/** Written out: a fleet has thousands of them, of which going through whatever there is made two copies each. */
function presentGolden(golden: Golden, digits: GoldenDigits): Workload['now'] {
  const { percentiles, latencySeconds } = golden
  return {
    requestsPerSecond: digitsOf(golden.requestsPerSecond, digits.perSecond),
    failuresPerSecond: digitsOf(golden.failuresPerSecond, digits.perSecond),
    successRatio: digitsOf(golden.successRatio, digits.success),
    sampleCount: digitsOf(golden.sampleCount, digits.count),
    percentiles: percentiles && {
      sampleCount: withDigits(percentiles.sampleCount, digits.count),
      ageSeconds: withDigits(percentiles.ageSeconds, digits.count),
    },
    inFlight: digitsOf(golden.inFlight, digits.inFlight),
    latencySeconds: {
      mean: digitsOf(latencySeconds.mean, digits.latency),
      p50: digitsOf(latencySeconds.p50, digits.latency),
      p95: digitsOf(latencySeconds.p95, digits.latency),
      p99: digitsOf(latencySeconds.p99, digits.latency),
      p999: digitsOf(latencySeconds.p999, digits.latency),
    },
  }
}

function digitsOf(value: number | null, digits: number): number | null {
  return value === null ? null : withDigits(value, digits)
}

function presentHeldTo({ mean, failures, tooFewBelow, goals }: Yardstick): HeldTo {
  return {
    mean: mean && [withDigits(mean[0], LIMIT_DIGITS.mean), mean[1] && withDigits(mean[1], LIMIT_DIGITS.mean)],
    failures: failures && [
      withDigits(failures[0], LIMIT_DIGITS.failures),
      withDigits(failures[1], LIMIT_DIGITS.failures),
    ],
    ...(tooFewBelow === null ? {} : { tooFewBelow }),
    ...(goals.length === 0 ? {} : { goals: goals.map((goal) => ({ ...goal })) }),
  }
}
