import { assessing, type ClusterView, type CompareWindow } from './assess.ts'
import type { Axis } from './baseline.ts'
import { instantFlows } from './edge-flows.ts'
import type { Goal } from './goals.ts'
import { withKnownClusters } from './known-clusters.ts'
import { emptyObservation, type Inbound, type Observation, type Outbound } from './observation.ts'
import { isSameRows } from './rows.ts'
import { group, puttingTogether, type Situation } from './situation.ts'
import type { Inventory } from './stitch/inventory.ts'
import { stitching } from './stitch/stitch.ts'
import type { StitchConfig, StitchedEdge } from './stitch/types.ts'
import { buildingWorld } from './stitch/world.ts'
import { straysIn, withoutStrays } from './strays.ts'
import { type Judgement, judging } from './suspects.ts'
import { flowNow, NO_FLOW, rowsOf, type Traffic } from './traffic.ts'
import { Pieces, type Turns } from './turns.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/** What a picture is drawn from, beside the clusters themselves. Times are unix seconds. */
export interface PictureOf {
  readonly atSeconds: number
  readonly windowSeconds: number
  readonly axis: Axis
  /** Null: the calm stretch before the present deviation. */
  readonly compare: CompareWindow | null
  readonly stitchConfig: StitchConfig
  readonly goals: readonly Goal[]
  /** By cluster name: what it knows beside its mesh, for joining calls. */
  readonly inventories: ReadonlyMap<string, Inventory | null>
  /** Calls as the picture before had them joined: what says the same is one and the same object in both. */
  readonly edgesBefore?: readonly StitchedEdge[]
}

/**
 * All clusters in one: calls joined, everybody held against what is usual, and judged. What they were joined by is not
 * kept: it is two objects and more for each call.
 */
export interface Picture {
  readonly views: readonly ClusterView[]
  /** Ids of workloads that are in another cluster than it is told: no part of the situation. */
  readonly strays: ReadonlySet<string>
  readonly situation: Situation
  readonly judgement: Judgement
  readonly verdict: Verdict
}

/** Draws the picture, in turns: of a large fleet that takes seconds. */
export function* drawPicture(views: readonly ClusterView[], of: PictureOf): Turns<Picture> {
  const { atSeconds, windowSeconds, axis, compare, stitchConfig, goals, inventories } = of
  const known = withKnownClusters(views)
  yield
  const observations = known.map((view) => ({
    now: view.now ?? emptyObservation(view.name, 1),
    before: view.history,
    silent: view.state === 'missing',
    inventory: inventories.get(view.name) ?? null,
  }))
  const world = yield* buildingWorld(observations, stitchConfig)
  yield
  const stitched = yield* stitching(world, of.edgesBefore)
  yield
  const strays = straysIn(world)
  const clusters = withoutStrays(known, strays)
  yield
  const assessment = yield* assessing(clusters, axis, atSeconds, windowSeconds, compare)
  yield
  const situation = yield* puttingTogether({
    atSeconds,
    windowSeconds,
    axis,
    clusters,
    assessment,
    stitched,
    goals,
  })
  yield
  const judgement = yield* judging(situation)
  yield
  return { views, strays, situation, judgement, verdict: verdictOf(situation, judgement) }
}

/**
 * The picture with percentiles that have come in since it was drawn, for a fraction of its cost: nothing is joined or
 * judged by them. Null where the clusters have told anything else since.
 */
export function* withPercentiles(picture: Picture, views: readonly ClusterView[]): Turns<Picture | null> {
  if (views.length !== picture.views.length) return null
  for (const [index, view] of views.entries()) {
    if (!sameButForPercentiles(picture.views[index] as ClusterView, view)) return null
    yield
  }
  const list = withoutStrays(withKnownClusters(views), picture.strays)
  const clusters = new Map(list.map((cluster) => [cluster.name, cluster]))
  const { assessment, edges } = picture.situation
  const workloads = new Map(assessment.workloads)
  const pieces = new Pieces()
  for (const [id, workload] of workloads) {
    if (pieces.ended) yield
    const current = clusters.get(workload.ref.cluster)?.now?.inbound.get(id)
    workloads.set(id, { ...workload, now: current === undefined ? NO_FLOW : flowNow(current.total) })
  }
  // Tables do not look at calls, and those who do wait for nobody: they are measured when they are asked for.
  const measured = once(() =>
    edges.map(({ edge, flows }) => ({ edge, flows: { ...flows, ...instantFlows(edge, clusters) } })),
  )
  const callsOf = once(() => group(measured(), ({ edge }) => edge.from))
  const callersOf = once(() => group(measured(), ({ edge }) => edge.to))
  const situation: Situation = {
    ...picture.situation,
    clusters,
    assessment: { ...assessment, workloads },
    get edges() {
      return measured()
    },
    get callsOf() {
      return callsOf()
    },
    get callersOf() {
      return callersOf()
    },
  }
  return { ...picture, views, situation }
}

/**
 * The picture with what workloads receive by now, where calls were not asked for again: it is joined and judged as it
 * was, all of it by one moment.
 */
export function* withRequests(picture: Picture, views: readonly ClusterView[]): Turns<Picture> {
  const told = new Map(views.map((view) => [view.name, view]))
  const { assessment } = picture.situation
  const workloads = new Map(assessment.workloads)
  const pieces = new Pieces()
  for (const [id, workload] of workloads) {
    if (pieces.ended) yield
    const view = told.get(workload.ref.cluster)
    const current = view?.now?.inbound.get(id)
    if (view === undefined || current === undefined) continue
    // Where a cluster may not be asked yet, what is told is older than the snapshot.
    const { ageSeconds } = view
    workloads.set(id, { ...workload, stale: view.state !== 'current', ageSeconds, now: flowNow(current.total) })
  }
  // Not spread: that would measure calls that nobody may ask for.
  const situation: Situation = Object.defineProperties({} as Situation, {
    ...Object.getOwnPropertyDescriptors(picture.situation),
    assessment: { value: { ...assessment, workloads }, enumerable: true },
  })
  return { ...picture, situation }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** By identity: what was not read anew is one and the same object. */
function sameButForPercentiles(before: ClusterView, after: ClusterView): boolean {
  return (
    before.name === after.name &&
    before.state === after.state &&
    before.ageSeconds === after.ageSeconds &&
    before.history === after.history &&
    before.compare === after.compare &&
    before.usualBuckets === after.usualBuckets &&
    before.surroundings === after.surroundings &&
    sameObservation(before.now, after.now)
  )
}

function sameObservation(before: Observation | null, after: Observation | null): boolean {
  if (before === null || after === null) return before === after
  return (
    before.pods === after.pods &&
    before.aliases === after.aliases &&
    // What proxies count besides is evidence, and who passes a gateway joins calls: both come with the percentiles.
    noneIn(before.signals, after.signals) &&
    noneIn(before.passing, after.passing) &&
    sameEntries(before.inbound, after.inbound, sameInbound) &&
    sameEntries(before.outbound, after.outbound, sameOutbound)
  )
}

function noneIn(...maps: readonly ReadonlyMap<string, unknown>[]): boolean {
  return maps.every(({ size }) => size === 0)
}

function sameEntries<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  same: (before: T, after: T) => boolean,
): boolean {
  if (before.size !== after.size) return false
  for (const [key, one] of before) {
    const other = after.get(key)
    if (other === undefined || !same(one, other)) return false
  }
  return true
}

function sameInbound(before: Inbound, after: Inbound): boolean {
  return before.byHost === after.byHost && before.tcp === after.tcp && sameRates(before.total, after.total)
}

function sameOutbound(before: Outbound, after: Outbound): boolean {
  return before.clues === after.clues && before.tcp === after.tcp && sameRates(before.traffic, after.traffic)
}

function sameRates(before: Traffic, after: Traffic): boolean {
  return isSameRows(rowsOf(before), rowsOf(after))
}
