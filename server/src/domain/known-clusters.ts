import type { ClusterView } from './assess.ts'
import { parseWorkloadId, workloadId } from './identity.ts'
import type { Destination, Observation } from './observation.ts'
import type { Traffic } from './traffic.ts'

/**
 * Puts configured names where a mesh's labels call clusters otherwise. A name that several clusters bear (Istio's
 * "Kubernetes") says nothing about the others and is left as it is.
 */
export function withKnownClusters(views: readonly ClusterView[]): readonly ClusterView[] {
  const names = namesOf(views)
  if (names.size === 0) return views
  const inWords = (observation: Observation | null) => (observation === null ? null : renamed(observation, names))
  return views.map((view) => ({
    ...view,
    now: inWords(view.now),
    history: inWords(view.history),
    compare: inWords(view.compare),
  }))
}

function namesOf(views: readonly ClusterView[]): Map<string, string> {
  const bearers = new Map<string, Set<string>>()
  for (const { name, now, history } of views) {
    for (const alias of [...(now?.aliases ?? []), ...(history?.aliases ?? [])]) {
      bearers.set(alias, (bearers.get(alias) ?? new Set()).add(name))
    }
  }
  const configured = new Set(views.map(({ name }) => name))
  return new Map(
    [...bearers].flatMap(([alias, names]): [string, string][] => {
      const [name] = names
      return names.size === 1 && name !== undefined && !configured.has(alias) ? [[alias, name]] : []
    }),
  )
}

function renamed(observation: Observation, names: ReadonlyMap<string, string>): Observation {
  const idOf = (id: string) => {
    const ref = parseWorkloadId(id)
    const cluster = ref === undefined || id.startsWith('outside/') ? undefined : names.get(ref.cluster)
    return ref === undefined || cluster === undefined ? id : workloadId({ ...ref, cluster })
  }
  const toName = (destination: Destination): Destination => {
    if (destination.kind !== 'workload') return destination
    const cluster = names.get(destination.workload.cluster)
    return cluster === undefined ? destination : { ...destination, workload: { ...destination.workload, cluster } }
  }
  const callers = (byCaller: ReadonlyMap<string, Traffic>) =>
    new Map([...byCaller].map(([id, part]) => [idOf(id), part]))
  return {
    ...observation,
    inbound: new Map([...observation.inbound].map(([id, one]) => [id, { ...one, byCaller: callers(one.byCaller) }])),
    outbound: new Map(
      [...observation.outbound].map(([key, flow]) => [key, { ...flow, destination: toName(flow.destination) }]),
    ),
  }
}
