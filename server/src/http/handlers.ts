import type { DependencyNode, Edge, Scope, Suspects, Workload, WorkloadDetail } from '../contract/index.ts'
import type { Assessed } from '../domain/assess.ts'
import { axisOver } from '../domain/baseline.ts'
import { findingOf } from '../domain/finding.ts'
import type { MeasuredEdge } from '../domain/graph-of.ts'
import type { GroupWanted } from '../domain/group.ts'
import { parseWorkloadId } from '../domain/identity.ts'
import { goalsNow, workloadRow } from '../domain/row.ts'
import { judge } from '../domain/suspects.ts'
import { dependencyTree, type TreeNode } from '../domain/tree.ts'
import { edgeHistograms } from '../federation/edge-histograms.ts'
import type { SnapshotEngine } from '../federation/engine.ts'
import { exploreStart } from '../federation/explore-start.ts'
import { createLastSeen } from '../federation/last-seen.ts'
import type { Roster } from '../federation/roster.ts'
import type { Gap, Snapshot } from '../federation/snapshot.ts'
import { clustersHandler, type SettingsOf } from './clusters-handler.ts'
import { compareHandler } from './compare-handler.ts'
import { failoverHandler } from './failover-handler.ts'
import { knownWorkload } from './known-workload.ts'
import type { Handlers } from './mount.ts'
import { oncePerSnapshot } from './once-per-snapshot.ts'
import { alertsOf, presentAlert } from './present-alerts.ts'
import { fleetOf, suspectsOf, topologyOf } from './present-answers.ts'
import { presentGoal } from './present-goals.ts'
import { presentGap, presentHead, presentVerdict } from './present-head.ts'
import { presentLimits, presentRoutes } from './present-mesh.ts'
import { presentOwnPart } from './present-own.ts'
import { presentSeries } from './present-series.ts'
import { presentSuspect } from './present-suspects.ts'
import { presentEdge, presentNode } from './present-topology.ts'
import { presentWorkload } from './present-workload.ts'
import { type ResolvedScope, resolveScope } from './scope-of.ts'
import { workloadParts } from './workload-parts.ts'

/** The use cases that look at the clusters; links and tools have their own. */
export type ClusterHandlers = Omit<Handlers, 'link' | 'tools'>

export interface HandlerDeps {
  readonly engine: SnapshotEngine
  /** Through what clusters are reached. */
  readonly roster: Pick<Roster, 'originOf' | 'blind'>
  /** Workloads that the configuration puts together. */
  readonly groups: readonly GroupWanted[]
  readonly settingsOf: SettingsOf
  /** Unix seconds. */
  readonly clock: () => number
}

/** The use cases of `/api/v1`, each: the snapshot that is asked for, and what of it is shown. */
export function createHandlers({ engine, roster, groups, settingsOf, clock }: HandlerDeps): ClusterHandlers {
  const take = async (query: Scope, signal: AbortSignal): Promise<{ scope: ResolvedScope; taken: Snapshot }> => {
    // While an endpoint does not say which clusters it holds, every name may be one of them.
    const names = roster.blind ? null : engine.readers.map((reader) => reader.name)
    const scope = resolveScope(query, clock(), names, engine.refreshSeconds)
    return { scope, taken: await engine.snapshot(scope.wanted, signal) }
  }
  const once = oncePerSnapshot()
  const lastSeen = createLastSeen()
  /** When a workload that the snapshot lacks last reported; null for one that it has, and where nobody can tell. */
  async function goneSince({ situation, atSeconds }: Snapshot, id: string): Promise<number | null> {
    const ref = situation.assessment.workloads.has(id) ? undefined : parseWorkloadId(id)
    const past = engine.readers.find(({ name }) => name === ref?.cluster)?.past
    return ref === undefined || past === undefined ? null : lastSeen(past, ref, atSeconds)
  }
  return {
    ...workloadParts({ engine, take }),
    ...compareHandler({ engine, clock, take }),
    ...failoverHandler({ engine, groups, take }),
    ...clustersHandler({ engine, roster, settingsOf, clock, take }),

    async fleet({ query, signal }) {
      const { scope, taken } = await take(query, signal)
      const { group, as } = query
      const first = Number(query.first ?? Number.POSITIVE_INFINITY)
      // One and the same answer where nobody would be left out.
      const some = first < taken.situation.assessment.workloads.size ? first : undefined
      // In whatever order they are named, they are the same.
      const [clusters, namespaces] = [scope.clusters, scope.namespaces].map((names) => names && [...names].sort())
      const key = `fleet ${JSON.stringify([clusters, namespaces, group, some, as, scope.text])}`
      return once(taken, key, () => fleetOf(taken, scope, { group, configured: groups, first: some, as }))
    },

    async topology({ query, signal }) {
      const { taken } = await take(query, signal)
      return once(taken, 'topology', () => topologyOf(taken))
    },

    async alerts({ query, signal }) {
      const { taken } = await take(query, signal)
      return once(taken, 'alerts', () => alertsOf(taken))
    },

    async suspects({ query, signal }): Promise<Suspects> {
      const { taken } = await take(query, signal)
      const focus = query.focus ?? null
      if (focus !== null) knownWorkload(taken, focus)
      return once(taken, `suspects ${focus ?? ''}`, () => suspectsOf(taken, focus))
    },

    async workload({ params, query, signal }): Promise<WorkloadDetail> {
      const { scope, taken } = await take(query, signal)
      const { situation } = taken
      const id = `${params.cluster}/${params.namespace}/${params.name}`
      const workload = knownWorkload(taken, id, await goneSince(taken, id))
      const judgement = judge(situation, id)
      const row = workloadRow(situation, taken.judgement, workload)
      const finding = findingOf(situation, judgement, id)
      // Where the sentence names nobody, nothing on the page does.
      const suspects = finding?.form === 'unknown' ? [] : judgement.suspects
      const tree = dependencyTree(situation, { ...judgement, suspects }, id)
      const callers = situation.callersOf.get(id) ?? []
      if (scope.wanted.atSeconds === null) engine.lookedAt([id, ...idsIn(tree)])
      const [{ series, gaps }, histograms] = await Promise.all([
        seriesOf(engine, taken, workload, scope, signal),
        edgeHistograms(engine.readers, taken, [...edgesIn(tree), ...callers], signal),
      ])
      const edgeOf = (edge: MeasuredEdge) => presentEdge(situation, edge, histograms.byEdge.get(edge.edge.id))
      const workloadOf = shownWorkloads(taken)
      const [entry] = judgement.entries
      const head = presentHead(taken)
      return {
        ...head,
        gaps: [...head.gaps, ...[...gaps, ...histograms.gaps].map(presentGap)],
        workload: presentWorkload(row, taken.clusters),
        callers: callers.map(edgeOf),
        dependencies: presentTree(taken, tree, edgeOf, workloadOf),
        series,
        limits: presentLimits(summaryOf(taken, workload.ref.cluster)?.speaks ?? [], row.inbound?.seenBy[0]),
        routes: presentRoutes(situation.clusters.get(workload.ref.cluster)?.now, id, taken.windowSeconds),
        alerts: situation.alerts.filter((alert) => alert.workload === id).map(presentAlert),
        goals: goalsNow(situation, workload).map(presentGoal),
        suspects: suspects.map(presentSuspect),
        finding: finding && presentVerdict(finding),
        deltaSeconds: entry?.trouble === 'latency' ? entry.totalSeconds : null,
        ownPart: presentOwnPart(situation, id),
        explore: exploreStart(
          engine.readers.find(({ name }) => name === workload.ref.cluster)?.past,
          workload.ref,
          taken.windowSeconds,
          row.inbound?.seenBy[0],
        ),
      }
    },
  }
}

function summaryOf({ clusters }: Snapshot, name: string) {
  return clusters.find((cluster) => cluster.name === name)
}

function idsIn(node: TreeNode): string[] {
  return [node.id, ...node.children.flatMap(idsIn)]
}

function edgesIn(node: TreeNode): MeasuredEdge[] {
  return [...(node.edge === null ? [] : [node.edge]), ...node.children.flatMap(edgesIn)]
}

/** A workload may stand in several places of a tree: its row is made once. */
function shownWorkloads({ situation, judgement, clusters }: Snapshot): (id: string) => Workload | null {
  const rows = new Map<string, Workload>()
  return (id) => {
    const workload = situation.assessment.workloads.get(id)
    if (workload === undefined) return null
    const row = rows.get(id) ?? presentWorkload(workloadRow(situation, judgement, workload), clusters)
    rows.set(id, row)
    return row
  }
}

function presentTree(
  taken: Snapshot,
  node: TreeNode,
  edgeOf: (edge: MeasuredEdge) => Edge,
  workloadOf: (id: string) => Workload | null,
): DependencyNode {
  return {
    ...presentNode(taken.situation, node.id),
    edge: node.edge === null ? null : edgeOf(node.edge),
    workload: workloadOf(node.id),
    deltaSeconds: node.deltaSeconds,
    share: node.share,
    linkShare: node.linkShare,
    onSuspectPath: node.onSuspectPath,
    suspect: node.suspect,
    repeats: node.repeats,
    cycle: node.cycle,
    truncated: node.truncated,
    children: node.children.map((child) => presentTree(taken, child, edgeOf, workloadOf)),
  }
}

/** From the snapshot's history where it reaches that far back; else asked for on its own. */
async function seriesOf(
  engine: SnapshotEngine,
  taken: Snapshot,
  workload: Assessed,
  { fromSeconds, toSeconds }: ResolvedScope,
  signal: AbortSignal,
): Promise<{ series: WorkloadDetail['series']; gaps: Gap[] }> {
  const { situation, windowSeconds } = taken
  const range = { fromSeconds, toSeconds: Math.min(toSeconds, taken.atSeconds) }
  const cluster = situation.clusters.get(workload.ref.cluster)
  const inside = fromSeconds >= situation.axis.fromSeconds
  const axis = inside ? situation.axis : axisOver(range.fromSeconds, range.toSeconds)
  const reader = engine.readers.find((one) => one.name === workload.ref.cluster)
  const wanted = { windowSeconds: inside ? windowSeconds : Math.max(windowSeconds, axis.stepSeconds), axis }
  // A cluster that does not answer at present is not asked.
  const read =
    !inside || cluster?.state === 'current' ? await reader?.past.workload(workload.ref, wanted, signal) : undefined
  const failed = read !== undefined && 'error' in read
  const known = inside ? cluster?.history?.inbound.get(workload.id)?.total : undefined
  const traffic = read === undefined || failed ? known : (read.inbound.get(workload.id)?.total ?? known)
  const gaps = failed
    ? [
        {
          cluster: workload.ref.cluster,
          what: 'series',
          why: read.error.kind,
          detail: read.error.message,
          sinceSeconds: taken.atSeconds,
        },
      ]
    : []
  return { series: presentSeries(traffic, axis, range, wanted.windowSeconds), gaps }
}
