import type { Assessed } from './assess.ts'
import { type Axis, instantOf, isAbove, spread } from './baseline.ts'
import { p99Course } from './bucket-history.ts'
import { type ChangeMark, changeMark } from './change.ts'
import { lastFailing } from './failing.ts'
import { flatLine } from './flat-line.ts'
import { type GoalRow, goalGrade, goalRows, missedGoals } from './goal-rows.ts'
import { goalsFor } from './goals.ts'
import { type Golden, type GoldenReading, readGolden } from './golden.ts'
import { type HeldTo, heldTo } from './held-to.ts'
import { isInFlightEstimated, limitLeft } from './in-flight.ts'
import type { Inbound } from './observation.ts'
import { clock, perSecond } from './phrase.ts'
import { remembered } from './remembered.ts'
import type { Signals } from './signals.ts'
import { calledPerSecond, countsNothing, isAffected, type Situation } from './situation.ts'
import { isKept } from './step-mask.ts'
import { type Judgement, ownOf } from './suspects.ts'
import { Pieces, type Turns } from './turns.ts'

export interface TrendLine {
  readonly fromSeconds: number
  readonly stepSeconds: number
  /** NaN where it is not known. */
  readonly p99Seconds: Float64Array
  readonly usualP99Seconds: [number, number] | null
}

/** One workload as a table shows it. */
export interface WorkloadRow {
  readonly workload: Assessed
  readonly role: 'workload' | 'ingress'
  readonly reading: GoldenReading
  /** What its proxies say of it now; null where only the past knows it. */
  readonly inbound: Inbound | null
  /** Its rate or its mean moves, so that what is in flight is an estimate. */
  readonly inFlightEstimated: boolean
  /** Share of the nearest limit to what is in flight that is left; null where none is counted. */
  readonly limitLeft: number | null
  readonly signals: Signals
  readonly usual: Golden
  readonly own: ReturnType<typeof ownOf>
  readonly health: 'ok' | 'warn' | 'crit' | 'none'
  readonly change: ChangeMark
  readonly changeRatio: number | null
  readonly suspectRank: number | null
  readonly via: string | null
  readonly notes: readonly string[]
  readonly trend: TrendLine
  /** What its health is judged by; null where nothing is judged. */
  readonly heldTo: HeldTo | null
}

const TREND_SECONDS = 1_800
const TREND_POINTS = 60

/** What of a row no percentile changes. */
interface Groundwork {
  readonly usual: Golden
  readonly own: ReturnType<typeof ownOf>
  readonly inFlightEstimated: boolean
  readonly notes: readonly string[]
}

/** By workload. A picture that is completed with percentiles keeps its judgement, so that what was laid for it holds. */
const groundworkOf = remembered((_: Judgement) => new Map<string, Groundwork>())

/**
 * Lays the ground for the rows of all workloads while percentiles are still on their way: who waits for the rows then
 * waits for less. They may be asked for at any time, of this situation or of what `withPercentiles` makes of it.
 */
export function* preparedRows(situation: Situation, judgement: Judgement): Turns<void> {
  const pieces = new Pieces()
  for (const workload of situation.assessment.workloads.values()) {
    if (pieces.ended) yield
    groundwork(situation, judgement, workload)
  }
}

function groundwork(situation: Situation, judgement: Judgement, workload: Assessed): Groundwork {
  const laid = groundworkOf(judgement)
  const known = laid.get(workload.id)
  if (known !== undefined) return known
  const made: Groundwork = {
    usual: usualGolden(situation, workload),
    own: ownOf(situation, judgement.entries, workload.id),
    inFlightEstimated: isInFlightEstimated(situation, workload),
    notes: notesOf(situation, workload),
  }
  laid.set(workload.id, made)
  return made
}

function usualGolden({ windowSeconds }: Situation, { usual }: Assessed): Golden {
  return readGolden(usual, { windowSeconds, seen: true, stale: false }).golden
}

export function workloadRow(situation: Situation, judgement: Judgement, workload: Assessed): WorkloadRow {
  const { id, stale, trouble } = workload
  const { windowSeconds } = situation
  const observed = situation.clusters.get(workload.ref.cluster)?.now
  const inbound = observed?.inbound.get(id) ?? null
  const seen = !onlyTcp(workload, inbound)
  const reading = readGolden(workload.now, { windowSeconds, seen, stale })
  const { usual, own, inFlightEstimated, notes } = groundwork(situation, judgement, workload)
  const suspect = judgement.suspects.find((item) => item.id === id)
  const ratio = changeRatio(reading.golden, usual)
  const isHeld = goalsFor(situation.goals, id) !== null
  const goals = isHeld ? goalsOf(situation, workload, { reading, usual }) : []
  return {
    workload,
    role: situation.stitched.ingressIds.has(id) ? 'ingress' : 'workload',
    reading,
    inbound,
    inFlightEstimated,
    limitLeft: limitLeft(situation, id),
    signals: observed?.signals.get(id) ?? NO_SIGNALS,
    usual,
    own,
    health: withGoals(healthOf(workload, reading.golden.requestsPerSecond), goals),
    // A marker on a workload that is within its usual range would cry wolf: p99 jumps from bucket to bucket.
    change: trouble.latency === 'none' && (ratio ?? 1) > 1 ? '' : changeMark(ratio),
    changeRatio: ratio,
    suspectRank: suspect?.rank ?? null,
    via: judgement.via.get(id) ?? null,
    notes: [
      ...(seen ? [] : ['no requests are counted, only bytes and connections']),
      ...(inbound?.passesOn ? ['a gateway: what it passes on, not what it was asked'] : []),
      ...missedGoals(goals),
      ...notes,
      ...(workload.now.lostBounds === undefined ? [] : [COARSER]),
    ],
    trend: trendOf(situation, workload),
    heldTo: heldTo(situation, workload, goals),
  }
}

/** The row's health without the rest of it: for thousands of cells. */
export function healthNow(situation: Situation, workload: Assessed): WorkloadRow['health'] {
  const { id, now } = workload
  const health = healthOf(workload, now.requestsPerSecond)
  if (health === 'crit' || goalsFor(situation.goals, id) === null) return health
  return withGoals(health, goalsNow(situation, workload))
}

/** The goals of one workload against what it does; where none are set, against what is usual. */
export function goalsNow(situation: Situation, workload: Assessed): GoalRow[] {
  const { windowSeconds } = situation
  const { id, ref, now, stale } = workload
  const inbound = situation.clusters.get(ref.cluster)?.now?.inbound.get(id) ?? null
  const reading = readGolden(now, { windowSeconds, seen: !onlyTcp(workload, inbound), stale })
  return goalsOf(situation, workload, { reading, usual: usualGolden(situation, workload) })
}

/** Goals that somebody set and that this workload misses, in words. */
export function goalsMissed(situation: Situation, workload: Assessed | undefined): string[] {
  if (workload === undefined || workload.stale || goalsFor(situation.goals, workload.id) === null) return []
  return missedGoals(goalsNow(situation, workload))
}

function goalsOf(
  situation: Situation,
  { id, ref, trouble }: Assessed,
  measured: { reading: GoldenReading; usual: Golden },
): GoalRow[] {
  const counts = situation.clusters.get(ref.cluster)?.surroundings?.goals.get(id) ?? null
  return goalRows({ ...measured, trouble, goals: goalsFor(situation.goals, id), counts })
}

/** A workload that keeps to its usual range and misses its goals is not fine. */
function withGoals(health: WorkloadRow['health'], goals: readonly GoalRow[]): WorkloadRow['health'] {
  const grade = goalGrade(goals)
  return grade === 'none' || health === 'crit' ? health : grade
}

const NO_SIGNALS: Signals = new Map()

/** Requests that nobody counts are not requests that are not made. */
function onlyTcp({ now, usual }: Assessed, inbound: Inbound | null): boolean {
  return inbound !== null && inbound.tcp !== null && now.requestsPerSecond === null && usual.requestsPerSecond === null
}

function changeRatio(now: Golden, usual: Golden): number | null {
  for (const name of ['p99', 'mean'] as const) {
    const current = now.latencySeconds[name]
    const before = usual.latencySeconds[name]
    if (current !== null && before) return current / before
  }
  return null
}

/** How bad its callers have it; `none` where nothing fresh is measured. */
function healthOf({ trouble, stale }: Assessed, requestsPerSecond: number | null): WorkloadRow['health'] {
  if (stale || !requestsPerSecond) return 'none'
  if (trouble.latency === 'crit' || trouble.failures === 'crit') return 'crit'
  return trouble.latency === 'warn' || trouble.failures === 'warn' ? 'warn' : 'ok'
}

const RECOVERING_SECONDS = 300

function notesOf(situation: Situation, workload: Assessed): string[] {
  const notes: string[] = []
  const { now, usual, history, stale } = workload
  if (countsNothing(workload)) {
    const was = `(was ${perSecond(usual.requestsPerSecond ?? 0)})`
    const called = calledPerSecond(situation, workload.id)
    notes.push(called > 0 ? `called ${perSecond(called)}, and counts no request ${was}` : `no longer called ${was}`)
  }
  // A deviation that has not lasted, or of which the newest steps are not read yet, has not ended either.
  const isOver = !isAffected(workload) && !isAbove(history?.band ?? null, now.meanSeconds)
  const ended = isOver ? lastDeviation(situation.axis, workload) : null
  const recent = ended !== null && situation.atSeconds - ended < RECOVERING_SECONDS
  if (recent && history !== null && !stale && now.requestsPerSecond) notes.push(`recovering since ${clock(ended)} UTC`)
  const flat = stale ? null : flatLine(situation, workload)
  if (flat !== null) notes.push(flat)
  return notes
}

/** Said where some pods' buckets had to go, so that nobody wonders at wide bounds. */
const COARSER = 'its pods count latency in different buckets: percentiles are as coarse as what they share'

function lastDeviation(axis: Axis, { history }: Assessed): number | null {
  if (history === null) return null
  const { means, band, failing } = history
  let last = lastFailing(failing)
  for (let step = axis.steps - 1; step > (last ?? -1) && band !== null; step -= 1) {
    if ((means[step] ?? Number.NaN) > band.high) last = step
  }
  return last === null ? null : instantOf(axis, last)
}

function trendOf(situation: Situation, workload: Assessed): TrendLine {
  const { axis, atSeconds } = situation
  const { trail, history, usualBuckets, compare } = situation.clusters.get(workload.ref.cluster) ?? {}
  const before = history && usualBuckets && !compare ? p99Course(usualBuckets, workload.id) : null
  const span = Math.min(axis.steps, Math.round(TREND_SECONDS / axis.stepSeconds))
  const every = Math.max(1, Math.ceil(span / TREND_POINTS))
  const points = Math.ceil(span / every)
  // Counted back from the newest step, so that the line ends where the present is.
  const first = axis.steps - 1 - (points - 1) * every
  const stepSeconds = every * axis.stepSeconds
  const p99Seconds = new Float64Array(points)
  const calm = new Uint8Array(points)
  for (let point = 0; point < points; point += 1) {
    const step = first + point * every
    const at = instantOf(axis, step)
    // The last step lies before the instant of the snapshot.
    const end = step === axis.steps - 1 ? atSeconds : at
    p99Seconds[point] = trail?.p99(workload.id, at - stepSeconds, end) ?? before?.(at) ?? Number.NaN
    if (isKept(workload.calm, step)) calm[point] = 1
  }
  return { fromSeconds: instantOf(axis, first), stepSeconds, p99Seconds, usualP99Seconds: spread(p99Seconds, calm) }
}
