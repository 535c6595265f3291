import type { Compare, CompareRow, CompareScope, Series } from '../contract/index.ts'
import { type Axis, instantOf } from '../domain/baseline.ts'
import { changeStep, differencesOf, type Side, spreadOf, verdictOver } from '../domain/comparison.ts'
import { readGolden } from '../domain/golden.ts'
import { EVERY_STEP } from '../domain/step-mask.ts'
import {
  addTraffic,
  emptyTraffic,
  flowOver,
  histogramOver,
  meanAt,
  requestsAt,
  type Traffic,
} from '../domain/traffic.ts'
import { readSide, type SideRead, type SideWanted } from '../federation/compare-sides.ts'
import type { SnapshotEngine } from '../federation/engine.ts'
import type { Snapshot } from '../federation/snapshot.ts'
import { type SidePlace, sidePlace } from './compare-side-text.ts'
import { allWithDigits } from './digits.ts'
import type { HandlerRequest, Handlers } from './mount.ts'
import { invalidRequest } from './mount.ts'
import { time, timeOrNull } from './present-golden.ts'
import { presentGap, presentHead } from './present-head.ts'
import { presentSeries } from './present-series.ts'
import { type ResolvedScope, resolveScope } from './scope-of.ts'

const DIGITS = 6
const LONGEST_SECONDS = 6 * 3_600
const SHORTEST_SECONDS = 60

interface CompareDeps {
  readonly engine: SnapshotEngine
  readonly clock: () => number
  readonly take: (query: CompareScope, signal: AbortSignal) => Promise<{ scope: ResolvedScope; taken: Snapshot }>
}

/** A member's, or a whole side's, traffic. */
interface Flows {
  readonly id: string | null
  readonly rates: Traffic
  readonly buckets: Traffic | null
}

/** Two of anything. Without `b` it is what `a` was, as long before. */
export function compareHandler({ engine, clock, take }: CompareDeps): Pick<Handlers, 'compare'> {
  return {
    async compare({ query, signal }: HandlerRequest<CompareScope>): Promise<Compare> {
      const { scope, taken } = await take(query, signal)
      const names = taken.clusters.map(({ name }) => name)
      const [placeA, placeB] = [sidePlace(query.a ?? '*', 'a'), sidePlace(query.b ?? query.a ?? '*', 'b')]
      const main = { fromSeconds: scope.fromSeconds, toSeconds: Math.min(scope.toSeconds, taken.atSeconds) }
      const before = { fromSeconds: 2 * main.fromSeconds - main.toSeconds, toSeconds: main.fromSeconds }
      const wantedA = wantedOf(placeA, main, names, clock(), 'a')
      const wantedB = wantedOf(placeB, query.b === undefined ? before : main, names, clock(), 'b')
      const [a, b] = await Promise.all(
        [wantedA, wantedB].map((wanted) => readSide(engine.readers, wanted, taken.windowSeconds, signal)),
      )
      if (a === undefined || b === undefined) throw new Error('two sides were read')
      return present(taken, { a, b, texts: [query.a ?? '*', query.b ?? ''] })
    },
  }
}

function wantedOf(
  { cluster, namespace, name, version, window }: SidePlace,
  main: { fromSeconds: number; toSeconds: number },
  known: readonly string[],
  nowSeconds: number,
  pointer: 'a' | 'b',
): SideWanted {
  const fail = (detail: string) => invalidRequest([{ pointer: `/query/${pointer}`, detail }])
  if (cluster !== null && !known.includes(cluster))
    throw fail(`cluster ${cluster} is not configured here (known: ${known.join(', ')})`)
  const asked = window === null ? main : resolveScope(window, nowSeconds, null)
  const toSeconds = Math.min(asked.toSeconds, nowSeconds)
  const seconds = toSeconds - asked.fromSeconds
  if (!(seconds >= SHORTEST_SECONDS && seconds <= LONGEST_SECONDS)) throw fail('compare 1 minute to 6 hours')
  const clusters = cluster === null ? known : [cluster]
  return { clusters, namespace, name, version, fromSeconds: asked.fromSeconds, toSeconds }
}

interface Sides {
  readonly a: SideRead
  readonly b: SideRead
  readonly texts: readonly [string, string]
}

function present(taken: Snapshot, { a, b, texts }: Sides): Compare {
  const head = presentHead(taken)
  const [byKeyA, byKeyB] = [byKey(a, b), byKey(b, a)]
  const rows = [...byKeyA].flatMap(([key, flows]) => {
    const other = byKeyB.get(key)
    return other === undefined ? [] : [rowOf(key, flows, other, a, b)]
  })
  const [allA, allB] = [sumOf(a), sumOf(b)]
  const only = (mine: typeof byKeyA, others: typeof byKeyA) =>
    [...mine].flatMap(([key, { id }]) => (others.has(key) ? [] : [id ?? key])).sort()
  return {
    ...head,
    gaps: [...head.gaps, ...[...a.gaps, ...b.gaps].map(presentGap)],
    a: presentSide(a, allA, texts[0], taken.windowSeconds),
    b: presentSide(b, allB, texts[1], taken.windowSeconds),
    all: rowOf('all', allA, allB, a, b),
    rows: rows.sort((one, other) => sizeOf(other) - sizeOf(one) || one.key.localeCompare(other.key)),
    onlyA: only(byKeyA, byKeyB),
    onlyB: only(byKeyB, byKeyA),
    notes: notesOn(a, b, allA, allB),
  }
}

/** By what pairs them: the whole id where the clusters are the same, else namespace and name; two single workloads are a pair whatever they are called. */
function byKey(side: SideRead, other: SideRead): Map<string, Flows> {
  const single = side.wanted.name !== null && other.wanted.name !== null
  const sameClusters = side.wanted.clusters.join() === other.wanted.clusters.join()
  const several = sameClusters && side.wanted.clusters.length > 1
  const found = new Map<string, Flows>()
  for (const member of side.members) {
    const [, namespace, ...name] = member.id.split('/')
    const differentSpaces = side.wanted.namespace !== other.wanted.namespace
    const key = single
      ? 'pair'
      : several
        ? member.id
        : differentSpaces && side.wanted.namespace !== null && other.wanted.namespace !== null
          ? name.join('/')
          : [namespace, ...name].join('/')
    found.set(key, member)
  }
  return found
}

function sumOf({ members, rateAxis, bucketAxis }: SideRead): Flows {
  const rates = emptyTraffic(rateAxis.steps)
  const buckets = emptyTraffic(bucketAxis.steps)
  for (const member of members) {
    addTraffic(rates, member.rates)
    if (member.buckets !== null) addTraffic(buckets, member.buckets)
  }
  return { id: null, rates, buckets: members.some((member) => member.buckets !== null) ? buckets : null }
}

/** Null where there was nothing at all: an empty side is not one that failed every request. */
function sideOf({ rates, buckets }: Flows, { wanted, rateAxis }: SideRead): Side | null {
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

function rowOf(key: string, flowsA: Flows, flowsB: Flows, a: SideRead, b: SideRead): CompareRow {
  const [sideA, sideB] = [sideOf(flowsA, a), sideOf(flowsB, b)]
  // What is added up over too few clusters is no basis for a verdict.
  const whole = flowsA.id !== null || (a.missing.length === 0 && b.missing.length === 0)
  const differences = whole ? differencesOf(sideA, sideB) : differencesOf(null, null)
  const slow = (side: Side | null) => side?.reading.golden.latencySeconds
  const [valueA, valueB] = [slow(sideA)?.p99 ?? slow(sideA)?.mean, slow(sideB)?.p99 ?? slow(sideB)?.mean]
  const cell = (side: Side | null, { id }: Flows) =>
    side === null
      ? null
      : {
          id,
          golden: allWithDigits(side.reading.golden, DIGITS),
          truths: side.reading.truths,
          bounds: side.reading.bounds,
        }
  return {
    key,
    a: cell(sideA, flowsA),
    b: cell(sideB, flowsB),
    differences,
    verdict: verdictOver(differences),
    ratio: valueA && valueB ? allWithDigits(valueB / valueA, 4) : null,
  }
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
  const series = (traffic: Traffic | undefined, axis: Axis): Series =>
    allWithDigits(presentSeries(traffic, axis, range, windowSeconds), DIGITS)
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
  if (a.members.length === 0) notes.push('nothing was measured on side A')
  if (b.members.length === 0) notes.push('nothing was measured on side B')
  return notes
}
