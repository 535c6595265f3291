import type { Compare, CompareCell, CompareGoal, CompareRow, CompareSideAnswer, Series } from '../contract/index.ts'
import { addTraffic } from '../domain/add-traffic.ts'
import { type Axis, instantOf } from '../domain/baseline.ts'
import { changeStep, differencesOf, type Side, spreadOf, verdictOver } from '../domain/comparison.ts'
import { goalRows } from '../domain/goal-rows.ts'
import { type Goal, goalsFor } from '../domain/goals.ts'
import { type GoldenReading, readGolden } from '../domain/golden.ts'
import { EVERY_STEP } from '../domain/step-mask.ts'
import { emptyTraffic, flowOver, histogramOver, meanAt, requestsAt, type Traffic } from '../domain/traffic.ts'
import { UNTROUBLED } from '../domain/trouble.ts'
import type { SideMember, SideRead } from '../federation/compare-sides.ts'
import type { Snapshot } from '../federation/snapshot.ts'
import { allWithDigits } from './digits.ts'
import { time, timeOrNull } from './present-golden.ts'
import { presentGap, presentHead } from './present-head.ts'
import { presentSeries } from './present-series.ts'

const DIGITS = 6

/** The traffic of a member, of several that are called the same, or of a whole side. */
interface Flows {
  /** Null where it is of several. */
  readonly id: string | null
  /** Whether it is all there is: what is added up over too few clusters is no basis for a verdict. */
  readonly whole: boolean
  readonly rates: Traffic
  readonly buckets: Traffic | null
}

interface Sides {
  readonly a: SideRead
  readonly b: SideRead
  readonly texts: readonly [string, string]
}

/** Both sides as they were read, paired and judged. */
export function presentCompare(taken: Snapshot, { a, b, texts }: Sides, goals: readonly Goal[]): Compare {
  const head = presentHead(taken)
  const [byKeyA, byKeyB] = [byKey(a, b), byKey(b, a)]
  const rows = [...byKeyA].flatMap(([key, flows]) => {
    const other = byKeyB.get(key)
    return other === undefined ? [] : [rowOf(key, [flows, other], [a, b], goals)]
  })
  const [allA, allB] = [sumOf(a), sumOf(b)]
  const only = (mine: typeof byKeyA, others: typeof byKeyA) =>
    [...mine].flatMap(([key, { id }]) => (others.has(key) ? [] : [id ?? key])).sort()
  return {
    ...head,
    gaps: [...head.gaps, ...[...a.gaps, ...b.gaps].map(presentGap)],
    a: presentSide(a, allA, texts[0], taken.windowSeconds),
    b: presentSide(b, allB, texts[1], taken.windowSeconds),
    all: rowOf('all', [allA, allB], [a, b], goals),
    rows: rows.sort((one, other) => sizeOf(other) - sizeOf(one) || one.key.localeCompare(other.key)),
    onlyA: only(byKeyA, byKeyB),
    onlyB: only(byKeyB, byKeyA),
    notes: notesOn(a, b, allA, allB),
  }
}

/** One side alone, for as long as the other is waited for, or where it fails. */
export function presentOneSide(
  taken: Snapshot,
  side: SideRead,
  text: string,
  goals: readonly Goal[],
): CompareSideAnswer {
  const head = presentHead(taken)
  const all = sumOf(side)
  const members = side.members.flatMap((member) => cellOf(sideOf(member, side), member, goals) ?? [])
  return {
    ...head,
    gaps: [...head.gaps, ...side.gaps.map(presentGap)],
    side: presentSide(side, all, text, taken.windowSeconds),
    all: cellOf(sideOf(all, side), all, goals),
    members: members.sort(
      (one, other) => rateOf(other) - rateOf(one) || String(one.id).localeCompare(String(other.id)),
    ),
  }
}

function rateOf({ golden }: CompareCell): number {
  return golden.requestsPerSecond ?? 0
}

/**
 * By what pairs them: the whole id where the clusters are the same, else namespace and name; two single workloads are a
 * pair whatever they are called. Members of several clusters that are called the same are added up.
 */
function byKey(side: SideRead, other: SideRead): Map<string, Flows> {
  const single = side.wanted.name !== null && other.wanted.name !== null
  const sameClusters = side.wanted.clusters.join() === other.wanted.clusters.join()
  const apart = !single && sameClusters && side.wanted.clusters.length > 1
  const [mine, others] = [side.wanted.namespace, other.wanted.namespace]
  const differentSpaces = mine !== null && others !== null && mine !== others
  const found = new Map<string, SideMember[]>()
  for (const member of side.members) {
    const [cluster, namespace, ...name] = member.id.split('/')
    const key = [...(apart ? [cluster] : []), ...(differentSpaces ? [] : [namespace]), ...name].join('/')
    found.set(single ? 'pair' : key, [...(found.get(single ? 'pair' : key) ?? []), member])
  }
  const whole = apart || side.missing.length === 0
  return new Map([...found].map(([key, members]) => [key, { ...addedUp(members, side), whole }]))
}

function sumOf(side: SideRead): Flows {
  return { ...addedUp(side.members, side), id: null, whole: side.missing.length === 0 }
}

/** Without percentiles where a cluster did not tell its own: those of the others are not those of all. */
function addedUp(members: readonly SideMember[], side: SideRead): Omit<Flows, 'whole'> {
  const [first, ...more] = members
  if (first !== undefined && more.length === 0) return first
  const rates = emptyTraffic(side.rateAxis.steps)
  const buckets = emptyTraffic(side.bucketAxis.steps)
  for (const member of members) {
    addTraffic(rates, member.rates)
    if (member.buckets !== null) addTraffic(buckets, member.buckets)
  }
  const untold = side.withoutPercentiles.some((name) => members.some(({ id }) => id.startsWith(`${name}/`)))
  const known = !untold && members.some((member) => member.buckets !== null)
  return { id: null, rates, buckets: known ? buckets : null }
}

/** Null where there was nothing at all: an empty side is not one that failed every request. */
function sideOf({ rates, buckets }: Omit<Flows, 'whole'>, { wanted, rateAxis }: SideRead): Side | null {
  const flow = flowOver(rates, EVERY_STEP)
  if (flow.requestsPerSecond === null && flow.meanSeconds === null) return null
  const histogram = buckets === null ? null : histogramOver(buckets, EVERY_STEP)
  const windowSeconds = wanted.toSeconds - wanted.fromSeconds
  const steps = Array.from({ length: rateAxis.steps }, (_, step) => step)
  const errorAt = (step: number) => {
    const rate = requestsAt(rates, step)
    return rate === null || rate <= 0 ? Number.NaN : Math.max(0, rates.failures[step] || 0) / rate
  }
  return {
    reading: readGolden({ ...flow, histogram }, { windowSeconds, seen: true, stale: false }),
    spreads: {
      requestsPerSecond: spreadOf(steps.map((step) => requestsAt(rates, step) ?? Number.NaN)),
      errorRatio: spreadOf(steps.map(errorAt)),
      meanSeconds: spreadOf(steps.map((step) => meanAt(rates, step) ?? Number.NaN)),
    },
  }
}

function rowOf(
  key: string,
  [flowsA, flowsB]: readonly [Flows, Flows],
  [a, b]: readonly [SideRead, SideRead],
  goals: readonly Goal[],
): CompareRow {
  const [sideA, sideB] = [sideOf(flowsA, a), sideOf(flowsB, b)]
  const differences = flowsA.whole && flowsB.whole ? differencesOf(sideA, sideB) : differencesOf(null, null)
  const slow = (side: Side | null) => side?.reading.golden.latencySeconds
  const [valueA, valueB] = [slow(sideA)?.p99 ?? slow(sideA)?.mean, slow(sideB)?.p99 ?? slow(sideB)?.mean]
  return {
    key,
    a: cellOf(sideA, flowsA, goals),
    b: cellOf(sideB, flowsB, goals),
    differences,
    verdict: verdictOver(differences),
    ratio: valueA && valueB ? allWithDigits(valueB / valueA, 4) : null,
  }
}

function cellOf(side: Side | null, { id }: Pick<Flows, 'id'>, goals: readonly Goal[]): CompareCell | null {
  if (side === null) return null
  const { golden, truths, bounds } = side.reading
  return { id, golden: allWithDigits(golden, DIGITS), truths, bounds, goals: goalsOf(id, side.reading, goals) }
}

/** Those that the config sets for the workload, against what it did in the window of its side. */
function goalsOf(id: string | null, reading: GoldenReading, goals: readonly Goal[]): CompareGoal[] {
  const mine = id === null ? null : goalsFor(goals, id)
  if (mine === null) return []
  // Only what no goal is set for is judged by its trouble.
  const rows = goalRows({ goals: mine, reading, usual: reading.golden, trouble: UNTROUBLED, counts: null })
  return rows.map(({ measure, goal, verdict, text }) => ({ measure, goal, verdict, text }))
}

function sizeOf({ ratio, verdict }: CompareRow): number {
  const size = ratio === null || ratio <= 0 ? 0 : Math.abs(Math.log(ratio))
  return verdict === 'worse' || verdict === 'better' ? 100 + size : size
}

function presentSide(side: SideRead, { rates, buckets }: Flows, text: string, windowSeconds: number): Compare['a'] {
  const { wanted, rateAxis, bucketAxis, missing } = side
  const means = Float64Array.from({ length: rateAxis.steps }, (_, step) => meanAt(rates, step) ?? Number.NaN)
  const onset = changeStep(means)
  const range = { fromSeconds: wanted.fromSeconds, toSeconds: wanted.toSeconds }
  const series = (traffic: Traffic | undefined, axis: Axis): Series => {
    // Over steps longer than the rate window rates are of the whole step.
    const over = Math.max(windowSeconds, axis.stepSeconds)
    const { at, ...measured } = presentSeries(traffic, axis, range, over)
    // Instants are no measurements: with six digits all of them would be one.
    return { ...allWithDigits(measured, DIGITS), at }
  }
  return {
    text,
    clusters: [...wanted.clusters],
    namespace: wanted.namespace,
    name: wanted.name,
    version: wanted.version,
    from: time(wanted.fromSeconds),
    to: time(wanted.toSeconds),
    onset: timeOrNull(onset === null ? null : instantOf(rateAxis, onset)),
    missing: [...missing],
    series: series(rates, rateAxis),
    percentiles: series(buckets ?? undefined, bucketAxis),
  }
}

function notesOn(a: SideRead, b: SideRead, allA: Flows, allB: Flows): string[] {
  const length = ({ wanted }: SideRead) => Math.round(wanted.toSeconds - wanted.fromSeconds)
  const bounds = ({ buckets }: Flows) => [...(buckets?.buckets.bounds() ?? [])].sort((x, y) => x - y).join()
  const notes: string[] = []
  if (Math.abs(length(a) - length(b)) > 1) notes.push(`the windows differ in length: ${length(a)} s and ${length(b)} s`)
  if (a.rateAxis.stepSeconds !== b.rateAxis.stepSeconds)
    notes.push(`A has a point every ${a.rateAxis.stepSeconds} s, B every ${b.rateAxis.stepSeconds} s`)
  if (allA.buckets !== null && allB.buckets !== null && bounds(allA) !== bounds(allB))
    notes.push('their latency buckets differ, so percentiles are each as fine as their own')
  if (a.missing.length + b.missing.length > 0)
    notes.push(
      `${[...new Set([...a.missing, ...b.missing])].join(', ')} did not answer: sums are of the rest, and not judged`,
    )
  const untold = [...new Set([...a.withoutPercentiles, ...b.withoutPercentiles])]
  if (untold.length > 0) notes.push(`${untold.join(', ')} did not tell percentiles: sums have none`)
  if (a.members.length === 0) notes.push('nothing was measured on side A')
  if (b.members.length === 0) notes.push('nothing was measured on side B')
  return notes
}
