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

/** Two digits more than are needed to tell our numbers from Prometheus' own to 1e-9. */
const NOW_DIGITS = 11
/** Of numbers that are made of the others, and tell whether these can be trusted. */
const COUNT_DIGITS = 6
const OWN_DIGITS = 6
/** How far the own time may be off. */
const OWN_RANGE_DIGITS = 4
const TCP_DIGITS = 5
/** What the present is held against at a glance. */
const USUAL_DIGITS = 3
const RATIO_DIGITS = 4
/** A limit is read, not reckoned with. */
const LIMIT_DIGITS = { mean: 3, failures: 2 }
/** A sparkline is some twenty pixels high, and they are most of a fleet's bytes. */
const TREND_DIGITS = 2

/** `clusters`: those of the snapshot that the row is of. */
export function presentWorkload(row: WorkloadRow, clusters: readonly ClusterSummary[]): Workload {
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
    now: presentGolden(reading.golden, NOW_DIGITS, COUNT_DIGITS),
    usual: presentGolden(row.usual, USUAL_DIGITS, USUAL_DIGITS),
    ageSeconds: workload.stale ? workload.ageSeconds : null,
    own: {
      seconds: allWithDigits(own.seconds, OWN_DIGITS),
      lowSeconds: allWithDigits(own.lowSeconds, OWN_RANGE_DIGITS),
      highSeconds: allWithDigits(own.highSeconds, OWN_RANGE_DIGITS),
      of: own.of,
      share: allWithDigits(own.share, OWN_DIGITS),
      ofSelf: allWithDigits(own.ofSelf, OWN_DIGITS),
      reason: own.reason,
    },
    health: row.health,
    heldTo: row.heldTo === null ? null : presentHeldTo(row.heldTo),
    change: row.change,
    changeRatio: row.changeRatio === null ? null : withDigits(row.changeRatio, RATIO_DIGITS),
    onset: timeOrNull(offSince(workload.trouble)),
    suspectRank: row.suspectRank,
    via: row.via,
    tcp: allWithDigits(presentTcp(row.inbound?.tcp), TCP_DIGITS),
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
function presentGolden(golden: Golden, digits: number, countDigits: number): Workload['now'] {
  const { percentiles, latencySeconds } = golden
  return {
    requestsPerSecond: digitsOf(golden.requestsPerSecond, digits),
    failuresPerSecond: digitsOf(golden.failuresPerSecond, digits),
    successRatio: digitsOf(golden.successRatio, digits),
    sampleCount: digitsOf(golden.sampleCount, countDigits),
    percentiles: percentiles && {
      sampleCount: withDigits(percentiles.sampleCount, countDigits),
      ageSeconds: withDigits(percentiles.ageSeconds, countDigits),
    },
    inFlight: digitsOf(golden.inFlight, countDigits),
    latencySeconds: {
      mean: digitsOf(latencySeconds.mean, digits),
      p50: digitsOf(latencySeconds.p50, digits),
      p95: digitsOf(latencySeconds.p95, digits),
      p99: digitsOf(latencySeconds.p99, digits),
      p999: digitsOf(latencySeconds.p999, digits),
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
