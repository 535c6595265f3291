import { stitchConfig } from '../../src/compose-stitch.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { ClusterView } from '../../src/domain/assess.ts'
import { edgeFlows } from '../../src/domain/edge-flows.ts'
import { graphOf } from '../../src/domain/graph-of.ts'
import type { Observation } from '../../src/domain/observation.ts'
import { NO_STEPS } from '../../src/domain/step-mask.ts'
import type { Inventory } from '../../src/domain/stitch/inventory.ts'
import { stitch } from '../../src/domain/stitch/stitch.ts'
import type { StitchConfig, Stitched, StitchedEdge } from '../../src/domain/stitch/types.ts'
import { buildWorld } from '../../src/domain/stitch/world.ts'
import { perSecond } from './counters.ts'
import { type Crossing, crossingsOf } from './crossings.ts'
import { judge, type Knowable } from './oracle.ts'
import { Facts } from './oracle-facts.ts'
import type { Truth } from './truth.ts'
import { inventoriesOf, observationsOf, type World } from './world.ts'

/** What one world showed. Every text in `wrong` names a seed, an edge and what is wrong with it. */
export interface Findings {
  readonly wrong: string[]
  /** Edges that are no more than likely, and not so. */
  readonly mistaken: string[]
  /** Determined ends that only a guess leads to. */
  readonly missed: string[]
  readonly seams: { determined: number; ambiguous: number; unknowable: number }
  /** True ends of determined seams, and how many of them have an edge that is no guess. */
  readonly recall: { ends: number; found: number }
  readonly edges: { solid: number; dashed: number; dotted: number }
  /** Unknowable seams whose own suggestion was followed. */
  resolved: number
  ratesCompared: number
}

export function noFindings(): Findings {
  return {
    wrong: [],
    mistaken: [],
    missed: [],
    seams: { determined: 0, ambiguous: 0, unknowable: 0 },
    recall: { ends: 0, found: 0 },
    edges: { solid: 0, dashed: 0, dotted: 0 },
    resolved: 0,
    ratesCompared: 0,
  }
}

/** What was read of a world's clusters. */
export interface Seen {
  readonly observations: readonly Observation[]
  readonly inventories: readonly Inventory[]
  /** How many times faster than in the truth the counters grew. */
  readonly speed: number
  /** How far a rate may be off, relatively. */
  readonly tolerance: number
}

/** Counters without noise, to 1 %: what is left is rounding. */
function seenIn(world: World): Seen {
  return { observations: observationsOf(world), inventories: inventoriesOf(world), speed: 1, tolerance: 0.01 }
}

/** Joins a world as the server would and holds every edge against the truth, by what the oracle says can be known. */
export function prove(world: World, into: Findings, seen: Seen = seenIn(world)): void {
  const { truth } = world
  const { observations, inventories } = seen
  const config = configOf(truth, '')
  const stitched = join(observations, inventories, config)
  const crossings = crossingsOf(truth)
  const addressOf = new Map(truth.clusters.map(({ ingress }) => [ingress.workload.id, ingress.address]))
  const facts = new Facts(
    world.stores,
    config.ingresses.map(({ workload }) => ({ workload, address: addressOf.get(workload) ?? '' })),
  )
  const fault = (text: string) => into.wrong.push(`seed ${truth.seed}: ${text}`)
  const mistaken = new Set<StitchedEdge>()
  for (const crossing of crossings) {
    const edges = stitched.edges.filter((edge) => edge.callerFlows.some(({ key }) => key === crossing.key))
    for (const edge of edges) {
      into.edges[edge.confidence] += 1
      if (edge.confidence === 'dotted' || isRight(edge, crossing)) continue
      const text = `${describe(edge)} is not so`
      const judged = judge(crossing.seam, facts).kind
      if (edge.confidence === 'solid' || (crossing.crosses && judged === 'determined')) fault(text)
      else into.mistaken.push(text)
      mistaken.add(edge)
    }
    if (!crossing.crosses) continue
    const knowable = judge(crossing.seam, facts)
    into.seams[knowable.kind] += 1
    if (knowable.kind === 'determined') determined(crossing, knowable, edges, into, fault)
    if (knowable.kind === 'ambiguous' && edges.some(({ confidence, outside }) => confidence === 'solid' && !outside)) {
      fault(`${crossing.key} is ambiguous, and solid`)
    }
    if (knowable.kind === 'unknowable') {
      unknowable(crossing, knowable, { stitched, observations, inventories, truth }, into, fault)
    }
  }
  const right = stitched.edges.filter((edge) => edge.confidence !== 'dotted' && !mistaken.has(edge))
  const open = new Set(crossings.filter(({ seam }) => judge(seam, facts).kind === 'ambiguous').map(({ key }) => key))
  const likely = (edge: StitchedEdge) =>
    edge.confidence === 'dashed' && edge.callerFlows.some(({ key }) => open.has(key))
  const misrated = (edge: StitchedEdge, text: string) => {
    if (likely(edge)) into.mistaken.push(text)
    else fault(text)
  }
  rates(seen, right, crossings, into, misrated)
  blameless(observations, stitched, fault)
}

type Fault = (text: string) => void

function describe({ from, to, rule, confidence, evidence }: StitchedEdge): string {
  return `${from} -> ${to} (${confidence}, ${rule}: ${evidence.join('; ')})`
}

function isRight(edge: StitchedEdge, { ends, passes, outside }: Crossing): boolean {
  if (outside) return edge.outside
  return ends.has(edge.to) || passes.has(edge.to) || (edge.outside && edge.to.startsWith('outside/'))
}

function determined(
  crossing: Crossing,
  { targets }: Extract<Knowable, { kind: 'determined' }>,
  edges: readonly StitchedEdge[],
  into: Findings,
  fault: Fault,
): void {
  for (const target of targets) {
    if (!crossing.ends.has(target) && !crossing.passes.has(target))
      fault(`the oracle is wrong: ${crossing.key} -> ${target}`)
    into.recall.ends += 1
    if (edges.some(({ to, confidence }) => to === target && confidence !== 'dotted')) into.recall.found += 1
    else into.missed.push(`${crossing.key} -> ${target}: ${edges.map(describe).join('\n')}`)
  }
}

interface Joined {
  readonly stitched: Stitched
  readonly observations: readonly Observation[]
  readonly inventories: readonly Inventory[]
  readonly truth: Truth
}

/** The to-do list must hold it, and following the list's own lines must resolve it. */
function unknowable(
  crossing: Crossing,
  { door }: Extract<Knowable, { kind: 'unknowable' }>,
  { stitched, observations, inventories, truth }: Joined,
  into: Findings,
  fault: Fault,
): void {
  const listed = stitched.unresolved.find(
    ({ from, destination }) => from === crossing.seam.from && crossing.destinations.includes(destination),
  )
  if (listed === undefined) {
    fault(`${crossing.key} is unknowable${door === null ? '' : ` beyond ${door}`}, and not in the to-do list`)
    return
  }
  const [answer = ''] = crossing.answers
  const lines = listed.suggestion
    .replace('CLUSTER/NAMESPACE/WORKLOAD', answer)
    .replace('/WORKLOAD', `/${answer.split('/')[2]}`)
    .replace(/\bCLUSTER\b/, answer.split('/')[0] ?? '')
  const again = join(observations, inventories, configOf(truth, lines))
  const edges = again.edges.filter((edge) => edge.callerFlows.some(({ key }) => key === crossing.key))
  // Where only the ingress is sure, the suggested line leads there: its own calls go on from it.
  const resolved = (to: string) => to === answer || (lines.includes(`to: ${door}`) && to === door)
  if (!edges.some(({ to, confidence }) => resolved(to) && confidence !== 'dotted')) {
    fault(`${crossing.key} stays unresolved with:\n${lines}\n${edges.map(describe).join('\n')}`)
  } else into.resolved += 1
}

/** Every edge's rate, as its caller counts it, is the truth's. */
function rates(
  { observations, speed, tolerance }: Seen,
  edges: readonly StitchedEdge[],
  crossings: readonly Crossing[],
  into: Findings,
  fault: (edge: StitchedEdge, text: string) => void,
): void {
  const byKey = new Map(crossings.map((crossing) => [crossing.key, crossing]))
  const clusters = new Map(observations.map((now) => [now.cluster, viewOf(now)]))
  for (const edge of edges) {
    const known = edge.callerFlows.map(({ key }) => byKey.get(key))
    if (known.some((one) => one === undefined)) continue
    const expected = known.reduce((sum, one) => {
      const perStep = one?.ends.get(edge.to) ?? (one?.passes.has(edge.to) || edge.outside ? one?.perStep : undefined)
      return sum + speed * perSecond(perStep ?? 0)
    }, 0)
    const rate = edgeFlows(edge, clusters, NO_STEPS, NO_STEPS).callerNow.requestsPerSecond ?? 0
    into.ratesCompared += 1
    if (Math.abs(rate - expected) > tolerance * expected) {
      fault(edge, `${describe(edge)} has ${rate} requests per second, not ${expected}`)
    }
  }
}

/** A guess may be drawn, never followed: the graph that blame is found on has no edge for it. */
function blameless(observations: readonly Observation[], stitched: Stitched, fault: Fault): void {
  const clusters = new Map(observations.map((now) => [now.cluster, viewOf(now)]))
  const measured = stitched.edges.map((edge) => ({ edge, flows: edgeFlows(edge, clusters, NO_STEPS, NO_STEPS) }))
  const axis = { fromSeconds: 0, stepSeconds: 15, steps: 0 }
  const graph = graphOf(new Map(), measured, clusters, { axis, windowSeconds: 60, callsOf: new Map() })
  for (const edge of stitched.edges) {
    if (edge.confidence !== 'dotted') continue
    const followed = (graph.outgoing.get(edge.from) ?? []).some(({ to }) => to === edge.to)
    if (followed) fault(`${describe(edge)} is a guess, and blame may follow it`)
  }
}

function viewOf(now: Observation): ClusterView {
  return { name: now.cluster, state: 'current', ageSeconds: 0, now, history: null, compare: null }
}

function join(observations: readonly Observation[], inventories: readonly Inventory[], config: StitchConfig): Stitched {
  return stitch(
    buildWorld(
      observations.map((now) => ({
        now,
        before: null,
        inventory: inventories.find(({ cluster }) => cluster === now.cluster) ?? null,
      })),
      config,
    ),
  )
}

/** What the operator has written, read by the real parser. */
export function configOf(truth: Truth, more: string): StitchConfig {
  const clusters = truth.clusters.map(
    ({ name }) => `  - { name: ${name}, endpoints: [{ url: http://${name}.example } ] }`,
  )
  const ingresses = truth.clusters
    .filter(({ name }) => truth.told.ingressesOf.includes(name))
    .map(
      ({ name, ingress: { workload, address } }) =>
        `  - { cluster: ${name}, workload: ${workload.namespace}/${workload.name}, addresses: ["${address}"] }`,
    )
  const text = `clusters:\n${clusters.join('\n')}\ningresses: [\n${ingresses.map((line) => line.replace('  - ', '  ')).join(',\n')}\n]\n${more}\n`
  const parsed = parseConfig(text, 'world.yaml')
  if ('errors' in parsed) throw new Error(`${text}\n${JSON.stringify(parsed.errors)}`)
  return stitchConfig(parsed.config)
}
