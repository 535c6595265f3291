import { parseWorkloadId, type WorkloadRef, workloadId } from '../domain/identity.ts'
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
import { emptyTraffic, hasBuckets, isCounted, rowsOf } from '../domain/traffic.ts'

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
  for (const told of more.inbound.values()) {
    const workload = sameAs(told.workload)
    const id = workloadId(workload)
    const inbound = { ...told, byCaller: byCallerAs(told.byCaller, sameAs) }
    const known = merged.inbound.get(id)
    merged.inbound.set(
      id,
      known === undefined ? { ...inbound, workload, seenBy: [more.dialect] } : richer(known, inbound, more.dialect),
    )
  }
  const keys = new Map([...more.inbound].map(([id, { workload }]) => [id, workloadId(sameAs(workload))]))
  // Who is known by bytes alone is not seen to call: the requests are another dialect's to tell.
  const calling = new Set(
    [...merged.outbound.values()].flatMap(({ from, traffic }) =>
      isCounted(traffic) || hasBuckets(traffic) ? [workloadId(from)] : [],
    ),
  )
  for (const [key, flow] of more.outbound) {
    const from = sameAs(flow.from)
    if (calling.has(workloadId(from))) continue
    const destination = destinationOf(flow, sameAs)
    const mergedKey = `${workloadId(from)} ${destinationKey(destination)}`
    const known = merged.outbound.get(mergedKey)
    merged.outbound.set(mergedKey, { ...flow, from, destination, tcp: known?.tcp ?? flow.tcp })
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
    byCaller: namesCallers(best) ? best.byCaller : withoutNumbers(other),
    addresses: new Set([...best.addresses, ...other.addresses]),
    seenBy: takes ? [dialect, ...known.seenBy] : [...known.seenBy, dialect],
  }
}

function namesCallers({ byCaller, byClient, byHost }: Inbound): boolean {
  return byCaller.size > 0 || byClient.size > 0 || byHost.size > 0
}

/** Who calls, as one dialect knows it, beside the requests that another one counts. */
function withoutNumbers({ byCaller, total }: Inbound): Inbound['byCaller'] {
  const { steps } = rowsOf(total)
  return new Map([...byCaller.keys()].map((id) => [id, emptyTraffic(steps)]))
}

/** What callers sent, by the ids that the merged ones have. */
function byCallerAs(byCaller: Inbound['byCaller'], sameAs: (ref: WorkloadRef) => WorkloadRef): Inbound['byCaller'] {
  if (byCaller.size === 0) return byCaller
  return new Map(
    [...byCaller].map(([id, traffic]) => {
      const ref = parseWorkloadId(id)
      return [ref === undefined ? id : workloadId(sameAs(ref)), traffic]
    }),
  )
}

/**
 * Whom another dialect calls by the same name: traces know services without a namespace, Istio workloads without a
 * kind. Where several bear the name, nobody is taken for another.
 */
export function sameWorkloads(merged: Observation): (ref: WorkloadRef) => WorkloadRef {
  const byName = new Map<string, Map<string, WorkloadRef>>()
  const callers = [...merged.outbound.values()].map(({ from }) => from)
  for (const workload of [...[...merged.inbound.values()].map((inbound) => inbound.workload), ...callers]) {
    for (const key of [`${workload.namespace}/${workload.name}`, `${NO_NAMESPACE}/${workload.name}`]) {
      const bearers = byName.get(key) ?? new Map<string, WorkloadRef>()
      byName.set(key, bearers.set(workloadId(workload), workload))
    }
  }
  return (ref) => {
    if (ref.cluster !== merged.cluster) return ref
    const bearers = byName.get(`${ref.namespace}/${ref.name}`)
    if (bearers === undefined || bearers.has(workloadId(ref))) return ref
    const [bearer, ...others] = bearers.values()
    return bearer !== undefined && others.length === 0 ? bearer : ref
  }
}

function destinationOf({ destination }: Outbound, sameAs: (ref: WorkloadRef) => WorkloadRef): Destination {
  return destination.kind === 'workload' ? { ...destination, workload: sameAs(destination.workload) } : destination
}

function copyInto(signals: Observation['signals'], key: string, more: Signals): void {
  signals.set(key, new Map([...more, ...(signals.get(key) ?? [])]))
}
