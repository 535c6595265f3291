import { type WorkloadRef, workloadId } from '../domain/identity.ts'
import {
  type Destination,
  destinationKey,
  emptyObservation,
  type Inbound,
  NO_NAMESPACE,
  type Observation,
  type Outbound,
} from '../domain/observation.ts'
import type { Signals } from '../domain/signals.ts'
import { isCounted } from '../domain/traffic.ts'

/**
 * Several dialects of one cluster as one observation; the richest comes first. A workload seen by several is one
 * workload: its requests are those of the first that counts any, its calls those of the first that sees it call.
 * Nothing is added up. What beside the golden signals only one of them tells is kept from it.
 */
export function mergeObservations(cluster: string, steps: number, list: readonly Observation[]): Observation {
  const [first, ...poorer] = list
  if (first === undefined) return emptyObservation(cluster, steps)
  for (const { seenBy } of first.inbound.values()) if (seenBy.length === 0) seenBy.push(first.dialect)
  if (poorer.length === 0) return first
  const merged = emptyObservation(cluster, steps)
  for (const observation of list) addTo(merged, observation)
  return merged
}

function addTo(merged: Observation, more: Observation): void {
  const sameAs = sameWorkloads(merged)
  for (const inbound of more.inbound.values()) {
    const workload = sameAs(inbound.workload)
    const id = workloadId(workload)
    const known = merged.inbound.get(id)
    merged.inbound.set(
      id,
      known === undefined ? { ...inbound, workload, seenBy: [more.dialect] } : richer(known, inbound, more.dialect),
    )
  }
  const keys = new Map([...more.inbound].map(([id, { workload }]) => [id, workloadId(sameAs(workload))]))
  const calling = new Set([...merged.outbound.values()].map(({ from }) => workloadId(from)))
  for (const [key, flow] of more.outbound) {
    const from = sameAs(flow.from)
    if (calling.has(workloadId(from))) continue
    const destination = destinationOf(flow, sameAs)
    const mergedKey = `${workloadId(from)} ${destinationKey(destination)}`
    merged.outbound.set(mergedKey, { ...flow, from, destination })
    keys.set(key, mergedKey)
  }
  // Those of workloads and calls that only another lane tells keep their key.
  for (const [key, signals] of more.signals) copyInto(merged.signals, keys.get(key) ?? key, signals)
  for (const [id, pods] of more.pods) if (!merged.pods.has(id)) merged.pods.set(id, pods)
  for (const [key, route] of more.routes) if (!merged.routes.has(key)) merged.routes.set(key, route)
  for (const alias of more.aliases) merged.aliases.add(alias)
  for (const [service, clients] of more.passing) {
    merged.passing.set(service, new Set([...(merged.passing.get(service) ?? []), ...clients]))
  }
}

/** The numbers of the richer dialect, unless it counts no requests where the other does. */
function richer(known: Inbound, inbound: Inbound, dialect: string): Inbound {
  const takes = !isCounted(known.total) && isCounted(inbound.total)
  const [best, other] = takes ? [inbound, known] : [known, inbound]
  return {
    ...best,
    workload: known.workload,
    tcp: best.tcp ?? other.tcp,
    assumed: known.assumed === true && inbound.assumed === true,
    byCaller: best.byCaller.size > 0 ? best.byCaller : other.byCaller,
    addresses: new Set([...best.addresses, ...other.addresses]),
    seenBy: takes ? [dialect, ...known.seenBy] : [...known.seenBy, dialect],
  }
}

/**
 * Whom another dialect calls by the same name: traces know services without a namespace, Istio workloads without a
 * kind. Where several bear the name, nobody is taken for another.
 */
function sameWorkloads(merged: Observation): (ref: WorkloadRef) => WorkloadRef {
  const byName = new Map<string, Map<string, WorkloadRef>>()
  for (const { workload } of merged.inbound.values()) {
    for (const key of [`${workload.namespace}/${workload.name}`, `${NO_NAMESPACE}/${workload.name}`]) {
      const bearers = byName.get(key) ?? new Map<string, WorkloadRef>()
      byName.set(key, bearers.set(workloadId(workload), workload))
    }
  }
  return (ref) => {
    if (ref.cluster !== merged.cluster || merged.inbound.has(workloadId(ref))) return ref
    const [bearer, ...others] = byName.get(`${ref.namespace}/${ref.name}`)?.values() ?? []
    return bearer !== undefined && others.length === 0 ? bearer : ref
  }
}

function destinationOf({ destination }: Outbound, sameAs: (ref: WorkloadRef) => WorkloadRef): Destination {
  return destination.kind === 'workload' ? { ...destination, workload: sameAs(destination.workload) } : destination
}

function copyInto(signals: Observation['signals'], key: string, more: Signals): void {
  signals.set(key, new Map([...more, ...(signals.get(key) ?? [])]))
}
