import { type Axis, type Band, bandAround, calmSteps, instantOf, isAbove, onsetStep } from './baseline.ts'
import { type BucketHistory, type PercentileTrail, usualHistogram } from './bucket-history.ts'
import { averageOver, type Column, measuredSteps, valueAt } from './columns.ts'
import { courseBand, courseOf } from './course.ts'
import { failingSince } from './failing.ts'
import type { WorkloadRef } from './identity.ts'
import type { Observation } from './observation.ts'
import { type Polluted, pollutedAmong, pollutedNote } from './polluted.ts'
import { EVERY_STEP, keptBut, keptByBoth, NO_STEPS, type StepMask, stepsWithin } from './step-mask.ts'
import type { Surroundings } from './surroundings.ts'
import { type Flow, flowNow, flowOver, NO_FLOW } from './traffic.ts'
import { type Grade, type Trouble, UNTROUBLED } from './trouble.ts'
import { allAtOnce, Pieces, type Turns } from './turns.ts'
import { COMPARE_SECONDS, critMeanSeconds, failureLimits, isTooFew, shareFailed } from './yardstick.ts'

/** What is known of one cluster for a snapshot. `now` has one step; `history` the steps of the axis. */
export interface ClusterView {
  readonly name: string
  /** `stale`: `now` is the last good answer, `ageSeconds` old. `missing`: nothing is known. */
  readonly state: 'current' | 'stale' | 'missing'
  readonly ageSeconds: number
  readonly now: Observation | null
  readonly history: Observation | null
  /** What "usual" is read from where another stretch than the calm history was asked for; else null. */
  readonly compare: Observation | null
  /** The buckets of the stretch that "usual" is read from; absent or null: not known (yet). */
  readonly usualBuckets?: BucketHistory | null
  /** Percentiles that were met since; absent: none. */
  readonly trail?: PercentileTrail
  /** What the cluster tells beside its golden signals; absent: nothing. */
  readonly surroundings?: Surroundings
}

/** One workload at the snapshot's instant and as usual. */
export interface Assessed {
  readonly id: string
  readonly ref: WorkloadRef
  readonly stale: boolean
  readonly ageSeconds: number
  readonly now: Flow
  readonly usual: Flow
  readonly trouble: Trouble
  readonly podsNow: number | null
  readonly podsUsual: number | null
  /** Which steps `usual` was taken from: of the compare observation, else the calm steps of the history. */
  readonly keep: StepMask
  /** Steps of the history in which this workload was within its band. */
  readonly calm: StepMask
  readonly history: { readonly means: Column; readonly band: Band | null; readonly failing: Uint8Array | null } | null
}

export interface CompareWindow {
  readonly fromSeconds: number
  readonly toSeconds: number
  readonly note: string | null
}

export interface Assessment {
  readonly workloads: ReadonlyMap<string, Assessed>
  readonly compare: CompareWindow | null
  /** Whom the note of `compare` is about, worst first; empty where it is about nobody. */
  readonly polluted: readonly Polluted[]
}

/** A step counts as usual only when enough of them are left; else the whole calm history is used. */
const LEAST_USUAL_STEPS = 8
/**
 * Rate windows that a deviation has to last before anybody is named. Small ones have to outlast a pause of a few
 * seconds, which a rate window shows for as long as it is.
 */
const HOLD_WINDOWS = { large: 1 / 3, small: 1.5 }
/** `besideSeconds`: where something is wrong already, more that is wrong needs less to be believed. */
const LARGE = { ratio: 2, addedSeconds: 0.1, besideSeconds: 0.05 }
/** Of fewer requests than this in the rate window the mean is a matter of luck: so much larger, or longer, has a deviation to be. */
const PLENTY_SAMPLES = 60

/**
 * Compares every workload with its own usual values. Stretches in which a workload was out of its band do not count
 * as usual, so that one incident does not become the measure of the next. `asked` names another stretch to compare
 * with; all of it counts.
 */
export function assess(
  clusters: readonly ClusterView[],
  axis: Axis,
  atSeconds: number,
  windowSeconds: number,
  asked: CompareWindow | null = null,
): Assessment {
  return allAtOnce(assessing(clusters, axis, atSeconds, windowSeconds, asked))
}

/** The same in turns. */
export function* assessing(
  clusters: readonly ClusterView[],
  axis: Axis,
  atSeconds: number,
  windowSeconds: number,
  asked: CompareWindow | null,
): Turns<Assessment> {
  const pieces = new Pieces()
  const drafts: Draft[] = []
  for (const cluster of clusters) {
    for (const id of idsIn(cluster)) {
      if (pieces.ended) yield
      const draft = draftOf(id, cluster, axis, windowSeconds)
      if (draft !== null) drafts.push(draft)
    }
  }
  const onsets = drafts.flatMap(({ onset, stale }) => (onset === null || stale ? [] : [instantOf(axis, onset)]))
  const compare = asked ?? compareWindow(axis, onsets, atSeconds, windowSeconds)
  // One for all who were calm all the time.
  const compared = stepsWithin(stepsIn(axis, compare), axis.steps)
  const workloads = new Map<string, Assessed>()
  for (const draft of drafts) {
    if (pieces.ended) yield
    workloads.set(draft.id, assessOne(draft, axis, compared, atSeconds, windowSeconds))
  }
  if ([...workloads.values()].some(({ trouble }) => trouble.latency !== 'none' || trouble.failures !== 'none')) {
    for (const draft of drafts) {
      if (pieces.ended) yield
      const one = workloads.get(draft.id)
      if (one === undefined || one.trouble.latency === one.trouble.latencySoon) continue
      const trouble = troubleOf(draft, one.usual, axis, atSeconds, windowSeconds, LARGE.besideSeconds)
      workloads.set(draft.id, { ...one, trouble })
    }
  }
  const settled = drafts.length === 0 || [...workloads.values()].some(({ usual }) => usual.meanSeconds !== null)
  const polluted = settled && asked === null && compare?.note === null ? pollutedAmong(drafts, axis) : []
  const note = settled ? (compare?.note ?? pollutedNote(polluted)) : 'no calm stretch is known to compare with'
  return { workloads, compare: compare === null ? null : { ...compare, note }, polluted }
}

interface Draft {
  readonly id: string
  readonly ref: WorkloadRef
  readonly stale: boolean
  readonly ageSeconds: number
  readonly now: Flow
  readonly cluster: ClusterView
  readonly means: Column | null
  readonly band: Band | null
  /** The step since which its mean is above its band. */
  readonly onset: number | null
  readonly failing: Uint8Array | null
}

/** Who is there now, or was. */
function idsIn({ now, history }: ClusterView): Set<string> {
  return new Set([...(now?.inbound.keys() ?? []), ...(history?.inbound.keys() ?? [])])
}

function draftOf(id: string, cluster: ClusterView, axis: Axis, windowSeconds: number): Draft | null {
  const current = cluster.now?.inbound.get(id)
  const past = cluster.history?.inbound.get(id)
  const ref = (current ?? past)?.workload
  if (ref === undefined) return null
  const course = past === undefined ? null : courseOf(past.total, windowSeconds)
  const means = course?.means ?? null
  const band =
    cluster.compare !== null
      ? askedBand(cluster.compare, id)
      : past === undefined || course === null
        ? null
        : courseBand(past.total, course, axis, windowSeconds)
  const now = current === undefined ? NO_FLOW : flowNow(current.total)
  // What was not looked at for a moment is not read yet: the rate window of the present reaches back over it.
  const covered = isAbove(band, now.meanSeconds) ? Math.ceil(windowSeconds / axis.stepSeconds) : 0
  return {
    id,
    ref,
    stale: cluster.state !== 'current',
    ageSeconds: cluster.ageSeconds,
    now,
    cluster,
    means,
    failing: course?.failing ?? null,
    band,
    onset: means === null ? null : onsetStep(means, band, covered),
  }
}

/** Around what it was in the stretch that was asked for. */
function askedBand(compare: Observation, id: string): Band | null {
  const traffic = compare.inbound.get(id)?.total
  const mean = traffic === undefined ? null : flowOver(traffic, EVERY_STEP).meanSeconds
  return mean === null ? null : bandAround(mean, 0)
}

/** What "usual" of a cluster is read from. */
export function usualSource(cluster: ClusterView | undefined): Observation | null {
  return cluster?.compare ?? cluster?.history ?? null
}

function compareWindow(
  axis: Axis,
  onsets: readonly number[],
  atSeconds: number,
  windowSeconds: number,
): CompareWindow | null {
  if (axis.steps === 0) return null
  // While all is calm it moves on by whole rate windows, so that in between nothing usual has to be added up anew.
  const calmTo = Math.floor(atSeconds / windowSeconds - 2) * windowSeconds
  const toSeconds = onsets.length > 0 ? Math.min(...onsets) : calmTo
  const fromSeconds = Math.max(axis.fromSeconds, toSeconds - COMPARE_SECONDS)
  if (fromSeconds < toSeconds) return { fromSeconds, toSeconds, note: null }
  const note = 'the present deviation is older than the history: no calm stretch before it is known'
  return { fromSeconds: axis.fromSeconds, toSeconds: instantOf(axis, axis.steps - 1), note }
}

function assessOne(draft: Draft, axis: Axis, compared: Uint8Array, atSeconds: number, windowSeconds: number): Assessed {
  const { cluster, means, band, failing, id, now } = draft
  const past = usualSource(cluster)?.inbound.get(id)
  const calm = means === null ? NO_STEPS : calmOf(means, band, failing)
  const narrow = keptByBoth(calm, compared)
  const enough = means !== null && measuredSteps(means, narrow) >= LEAST_USUAL_STEPS
  const keep = cluster.compare !== null ? EVERY_STEP : enough ? narrow : calm
  const usual = past === undefined ? NO_FLOW : withBuckets(flowOver(past.total, keep), cluster, id, axis, keep)
  const pods = cluster.now?.pods.get(id)
  const podsPast = usualSource(cluster)?.pods.get(id)
  return {
    id,
    ref: draft.ref,
    stale: draft.stale,
    ageSeconds: draft.ageSeconds,
    now,
    usual,
    trouble: troubleOf(draft, usual, axis, atSeconds, windowSeconds),
    podsNow: pods === undefined ? null : valueAt(pods, 0),
    podsUsual: podsPast === undefined ? null : averageOver(podsPast, keep),
    keep,
    calm,
    history: means === null ? null : { means, band, failing },
  }
}

function calmOf(means: Column, band: Band | null, failing: Uint8Array | null): StepMask {
  const calm = calmSteps(means, band)
  return failing === null ? calm : keptBut(calm, failing, means.length)
}

/** First and last step within a stretch; none of them without one. */
function stepsIn(axis: Axis, stretch: CompareWindow | null): [number, number] {
  if (stretch === null) return [1, 0]
  const place = (seconds: number) => (seconds - axis.fromSeconds) / axis.stepSeconds
  return [Math.ceil(place(stretch.fromSeconds)), Math.floor(place(stretch.toSeconds))]
}

function withBuckets(
  usual: Flow,
  { usualBuckets, compare }: ClusterView,
  id: string,
  axis: Axis,
  keep: StepMask,
): Flow {
  if (!usualBuckets) return usual
  return { ...usual, histogram: usualHistogram(usualBuckets, id, compare === null ? axis : null, keep) }
}

function troubleOf(
  draft: Draft,
  usual: Flow,
  axis: Axis,
  atSeconds: number,
  windowSeconds: number,
  least = LARGE.addedSeconds,
): Trouble {
  const { now, band, onset } = draft
  const ratio = now.meanSeconds !== null && usual.meanSeconds ? now.meanSeconds / usual.meanSeconds : null
  const samples = (now.requestsPerSecond ?? 0) * windowSeconds
  if (draft.stale || isTooFew(samples)) return { ...UNTROUBLED, ratio }
  // Trouble has to last for a part of the rate window: clusters are scraped at different instants, so while a mean
  // takes off their shares of it do not fit together yet.
  const added = (now.meanSeconds ?? 0) - (band?.level ?? 0)
  const scarcity = Math.max(1, PLENTY_SAMPLES / samples)
  const large = added >= scarcity * Math.max(least, (LARGE.ratio - 1) * (band?.level ?? 0))
  const hold = (large ? HOLD_WINDOWS.large : HOLD_WINDOWS.small * scarcity) * windowSeconds
  const lasting = onset !== null && atSeconds - instantOf(axis, onset) >= hold
  const slow = isAbove(band, now.meanSeconds) && onset !== null
  const crit = critMeanSeconds(usual.meanSeconds)
  const latencySoon = !slow ? 'none' : crit !== null && Number(now.meanSeconds) >= crit ? 'crit' : 'warn'
  const failures = failureGrade(now, failureLimits(draft.cluster, now, usual, windowSeconds))
  const fails = failures === 'none' ? null : failingSince(draft.failing)
  return {
    latency: lasting ? latencySoon : 'none',
    latencySoon,
    failures,
    ratio,
    onsetSeconds: latencySoon === 'none' || onset === null ? null : instantOf(axis, onset),
    failingSinceSeconds: fails === null ? null : instantOf(axis, fails),
  }
}

/** More failures than usual, and more than chance brings. */
function failureGrade(now: Flow, limits: readonly [number, number]): Grade {
  const share = shareFailed(now)
  if (share === null || share < limits[0]) return 'none'
  return share >= limits[1] ? 'crit' : 'warn'
}
