import { type Fleet, type FleetScope, type Suspects, type Topology, Workload } from '../contract/index.ts'
import type { Assessed } from '../domain/assess.ts'
import { type GroupWanted, groupsOf, groupsWanted } from '../domain/group.ts'
import { smallestMargin } from '../domain/margin.ts'
import { healthNow, workloadRow } from '../domain/row.ts'
import { judge } from '../domain/suspects.ts'
import type { Snapshot } from '../federation/snapshot.ts'
import { firstRows, type LookedFor } from './first-rows.ts'
import { presentGroup } from './present-group.ts'
import { presentHead } from './present-head.ts'
import { presentContributions, presentSuspect } from './present-suspects.ts'
import { presentEdge, presentNode, presentUnresolved } from './present-topology.ts'
import { EXACT, presentWorkload, SHOWN, type WorkloadDigits } from './present-workload.ts'
import type { ResolvedScope } from './scope-of.ts'
import { Listed, Tabled, Written } from './written.ts'

/** What of the fleet a viewer wants to see. */
export interface FleetWanted {
  /** What the viewer asks to be summed. */
  readonly group?: FleetScope['group']
  /** What the configuration puts together. */
  readonly configured?: readonly GroupWanted[]
  /** Only so many workloads; absent: all. */
  readonly first?: number | undefined
  /** How the workloads are written; absent: as rows. */
  readonly as?: FleetScope['as']
}

export function fleetOf(
  taken: Snapshot,
  scope: ResolvedScope,
  { group, configured = [], first = Number.POSITIVE_INFINITY, as }: FleetWanted = {},
): Written<Fleet> {
  const { situation, judgement } = taken
  const shown = [...situation.assessment.workloads.values()].filter((workload) => isIn(scope, workload))
  const groups =
    group === undefined ? groupsWanted(situation, shown, configured) : groupsOf(situation, shown, scope.clusters)
  const rows = firstRows(shown, first, lookedForIn(taken))
  const more = shown.length - rows.length
  return new Written<Fleet>({
    ...presentHead(taken),
    workloads:
      as === 'table'
        ? new Tabled(Workload, () => rowsOf(taken, rows, SHOWN))
        : new Listed(() => rowsOf(taken, rows, EXACT)),
    ...(more === 0 ? {} : { more }),
    suspects: judgement.suspects.map(presentSuspect),
    ...(groups.length === 0 && group === undefined ? {} : { groups: groups.map(presentGroup) }),
  })
}

function* rowsOf(
  { situation, judgement, clusters }: Snapshot,
  shown: readonly Assessed[],
  digits: WorkloadDigits,
): Generator<Workload> {
  for (const workload of shown) yield presentWorkload(workloadRow(situation, judgement, workload), clusters, digits)
}

function lookedForIn({ situation, judgement }: Snapshot): (workload: Assessed) => LookedFor {
  const ranks = new Map(judgement.suspects.map(({ id, rank }) => [id, rank]))
  return (workload) => ({
    suspectRank: ranks.get(workload.id) ?? null,
    health: healthNow(situation, workload),
    requestsPerSecond: workload.now.requestsPerSecond,
  })
}

export function topologyOf(taken: Snapshot): Written<Topology> {
  const { situation } = taken
  const ids = new Set([
    ...situation.assessment.workloads.keys(),
    ...situation.edges.flatMap(({ edge }) => [edge.from, edge.to]),
  ])
  return new Written<Topology>({
    ...presentHead(taken),
    nodes: new Listed(function* () {
      for (const id of [...ids].sort()) yield presentNode(situation, id)
    }),
    edges: new Listed(function* () {
      for (const edge of situation.edges) yield presentEdge(situation, edge)
    }),
    unresolved: situation.stitched.unresolved.map(presentUnresolved),
  })
}

export function suspectsOf(taken: Snapshot, focus: string | null): Suspects {
  const judgement = focus === null ? taken.judgement : judge(taken.situation, focus)
  const [entry] = judgement.entries
  return {
    ...presentHead(taken),
    focus,
    deltaSeconds: entry?.trouble === 'latency' ? entry.totalSeconds : null,
    suspects: judgement.suspects.map(presentSuspect),
    contributions: presentContributions(entry),
    cleared: [...judgement.cleared],
    cannotJudge: judgement.cannotJudge.map((item) => ({ ...item })),
    problems: judgement.problems.map((ids) => [...ids]),
    entries: judgement.entries.map(({ id }) => id),
    margin: judgement.suspects.length === 0 && focus === null ? smallestMargin(taken.situation) : null,
  }
}

function isIn({ clusters, namespaces, text }: ResolvedScope, { id, ref }: Assessed): boolean {
  if (clusters !== null && !clusters.has(ref.cluster)) return false
  if (namespaces !== null && !namespaces.has(ref.namespace)) return false
  return text === '' || id.toLowerCase().includes(text)
}
