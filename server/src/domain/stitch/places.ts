import { knownId } from '../identity.ts'
import { remembered } from '../remembered.ts'
import type { Inventory } from './inventory.ts'
import type { Behind, Call, Door, StitchConfig } from './types.ts'
import { knownRate } from './weigh.ts'

/**
 * `cluster/namespace/service` -> the workloads behind it with their share. What a person wrote holds before what
 * callers in the service's cluster are seen to reach, and that before kube-state-metrics, which knows pods, not load.
 */
export function behindServices(
  calls: readonly Call[],
  inventories: readonly Inventory[],
  config: StitchConfig,
): Map<string, Behind> {
  const found = new Map<string, Behind>()
  for (const { behindService } of inventories) {
    for (const [service, pods] of behindService) found.set(service, { source: 'its endpoints are', shares: part(pods) })
  }
  for (const [service, rates] of seenBehind(calls)) {
    found.set(service, { source: 'calls seen over there lead to', shares: part(rates) })
  }
  for (const { service, workloads } of config.services ?? []) {
    const weights = new Map(workloads.map((id) => [id, found.get(service)?.shares.get(id) ?? 0]))
    found.set(service, { source: 'by configuration it is', shares: part(weights) })
  }
  return found
}

function seenBehind(calls: readonly Call[]): Map<string, Map<string, number>> {
  const callsBehind = new Map<string, Map<string, Call[]>>()
  for (const call of calls) {
    const { destination } = call
    if (destination.kind !== 'workload' || destination.service === null || destination.assumed) continue
    const service = serviceOf(destination)
    const workloads = callsBehind.get(service) ?? new Map<string, Call[]>()
    callsBehind.set(service, workloads)
    const id = knownId(destination.workload)
    const known = workloads.get(id)
    if (known === undefined) workloads.set(id, [call])
    else known.push(call)
  }
  const weights = new Map<string, Map<string, number>>()
  for (const [service, workloads] of callsBehind) {
    // Behind most services there is one workload, which gets all of it: no rates need be added up, over hours at worst.
    const weigh = (of: readonly Call[]) =>
      workloads.size === 1 ? 1 : of.reduce((sum, { rates }) => sum + knownRate(rates), 0)
    weights.set(service, new Map([...workloads].map(([id, of]) => [id, weigh(of)])))
  }
  return weights
}

const serviceOf = remembered(({ workload, service }: Extract<Call['destination'], { kind: 'workload' }>) => {
  return `${workload.cluster}/${workload.namespace}/${service}`
})

function part(weights: ReadonlyMap<string, number>): Map<string, number> {
  const total = [...weights.values()].reduce((a, b) => a + b, 0)
  return new Map([...weights].map(([id, weight]) => [id, total > 0 ? weight / total : 1 / weights.size]))
}

/** Ingresses that are declared, and workloads that a load balancer's address leads to. */
export function doorsOf(
  config: StitchConfig,
  inventories: readonly Inventory[],
  behind: ReadonlyMap<string, Behind>,
): Door[] {
  const declared = config.ingresses.map((entry): Door => ({ ...entry, source: 'by configuration' }))
  const found = inventories.flatMap(({ cluster, balancers }) =>
    [...balancers].flatMap(([address, services]) =>
      [...services].flatMap((service) =>
        [...(behind.get(service)?.shares.keys() ?? [])].map((workload): Door => {
          return { cluster, workload, addresses: [address], hosts: [], source: `by the status of ${service}` }
        }),
      ),
    ),
  )
  const told = (door: Door) => declared.some((one) => one.workload === door.workload && covers(one, door))
  return [...declared, ...found.filter((door) => !told(door))]
}

function covers(declared: Door, found: Door): boolean {
  return found.addresses.every((address) => declared.addresses.includes(address))
}

/** The first two numbers of an IPv4 address: pod ranges are rarely told apart by less. */
export function rangeOf(address: string): string {
  return address.split('.').slice(0, 2).join('.')
}

/** Range -> clusters whose pods have addresses in it. */
export function rangesOf(owners: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Set<string>> {
  const ranges = new Map<string, Set<string>>()
  for (const [address, ids] of owners) {
    const clusters = ranges.get(rangeOf(address)) ?? new Set()
    for (const id of ids) clusters.add(id.slice(0, id.indexOf('/')))
    ranges.set(rangeOf(address), clusters)
  }
  return ranges
}
