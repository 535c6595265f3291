import { knownId, parseWorkloadId, spoken, workloadId } from '../identity.ts'
import { percent } from '../phrase.ts'
import { remembered } from '../remembered.ts'
import { assumedTarget } from './assumed-target.ts'
import { matchesAddress, matchesGlob } from './glob.ts'
import { target, targetsBehind, underOurName } from './target.ts'
import type { Call, Resolution, Rule, World } from './types.ts'

/** Rule 1: the caller's labels name the callee. */
export const labels: Rule = {
  name: 'labels',
  resolve(call, world) {
    const { destination, cluster } = call
    if (destination.kind === 'workload') {
      const placed = destination.assumed ? assumedTarget(call, world) : null
      if (placed !== null) return placed
      const id = underOurName(knownId(destination.workload), world)
      const known = world.workloads.has(id)
      const evidence = [`the caller's proxy names ${id}`]
      if (!known) evidence.push('it reports no inbound traffic itself: not in the mesh, or nothing measured')
      return { rule: 'labels', confidence: 'solid', evidence, targets: [target(id)] }
    }
    if (destination.kind !== 'service') return null
    const service = `${cluster}/${destination.namespace}/${destination.service}`
    return behind(service, world, 'labels', [`the caller's proxy names the service ${service}`])
  },
}

/** Rule 2: a service mirrored from another cluster carries that cluster's name. */
export const mirror: Rule = {
  name: 'mirror',
  resolve({ destination, from, cluster: own }, world) {
    if (destination.kind === 'mirror') {
      const cluster = world.clusterNames.get(destination.cluster) ?? destination.cluster
      const service = `${cluster}/${destination.namespace}/${destination.service}`
      const evidence = [`mirrored service: the caller's proxy names ${service} as its target`]
      const passed = identitiesOf(from, own, world).find((identity) => world.passing.get(service)?.has(identity))
      if (passed !== undefined) evidence.push(`the gateway of ${cluster} was asked for it by ${passed}`)
      return behind(service, world, 'mirror', evidence)
    }
    if (destination.kind !== 'pod' || destination.service === null) return null
    // Pod to pod, the labels are the pod's own; only the name that was asked for, `cart-west`, tells whose pod it is.
    const link = destination.asked.slice(destination.service.length + 1)
    const cluster = world.clusterNames.get(link)
    if (cluster === undefined) return null
    const id = workloadId({ ...destination.workload, cluster })
    const evidence = [
      `mirrored service: ${destination.asked} is ${destination.service} of ${cluster}, whose pod is ${id}`,
    ]
    return { rule: 'mirror', confidence: 'solid', evidence, targets: [target(id)] }
  },
}

/** The identities that a workload, and no other of its cluster, shows to its neighbours. */
function identitiesOf(id: string, cluster: string, { identities }: World): readonly string[] {
  return ownIdentities(identities).get(`${cluster} ${id}`) ?? []
}

/** By cluster and workload. */
const ownIdentities = remembered((identities: World['identities']) => {
  const own = new Map<string, string[]>()
  for (const [key, ids] of identities) {
    const [id] = ids
    if (id === undefined || ids.size > 1) continue
    const [cluster = ''] = key.split(' ', 1)
    const shown = key.slice(cluster.length + 1)
    const known = own.get(`${cluster} ${id}`)
    if (known === undefined) own.set(`${cluster} ${id}`, [shown])
    else known.push(shown)
  }
  return own
})

/** Rule 7, tried early: a person said so, and that is worth more than what merely looks alike. */
export const declared: Rule = {
  name: 'declared',
  resolve(call, world) {
    const { hosts, addresses } = namesOf(call)
    for (const route of world.config.routes) {
      const byHost = hosts.some((host) => route.host !== undefined && matchesGlob(route.host, host))
      const byAddress = addresses.some(
        (address) => route.address !== undefined && matchesAddress(route.address, address),
      )
      if (!byHost && !byAddress) continue
      const pattern = byHost ? `host ${route.host}` : `address ${route.address}`
      const evidence = [`declared in the configuration: ${pattern} leads to ${route.to}`]
      return { rule: 'declared', confidence: 'solid', evidence, targets: [target(route.to)] }
    }
    return null
  },
}

/** What a person may call a destination by that labels do not resolve. */
function namesOf({ destination, clues }: Call): { hosts: string[]; addresses: string[] } {
  switch (destination.kind) {
    case 'host':
      return { hosts: [destination.host], addresses: [] }
    case 'address':
      return { hosts: [], addresses: [destination.address] }
    case 'pod': {
      const address = destination.address === null ? [] : [destination.address]
      return { hosts: [`${destination.asked}.${destination.workload.namespace}`], addresses: address }
    }
    case 'workload':
      return { hosts: destination.assumed ? [...clues.hosts] : [], addresses: [] }
    case 'unknown':
      return { hosts: [destination.what, ...clues.hosts], addresses: [...clues.addresses] }
    default:
      return { hosts: [], addresses: [] }
  }
}

function behind(service: string, world: World, rule: 'labels' | 'mirror', evidence: string[]): Resolution | null {
  const targets = targetsBehind(service, world)
  if (targets !== null) {
    const names = targets.map(({ id, share }) => `${spoken(id)} ${percent(share)}`).join(', ')
    const { source } = world.behindService.get(service) ?? { source: '' }
    return { rule, confidence: 'solid', evidence: [...evidence, `${source} ${names}`], targets }
  }
  // Where nobody calls the service from inside, a workload of the very same name is the only one that can be meant.
  const ref = parseWorkloadId(service)
  if (ref === undefined || !world.workloads.has(service)) return null
  return {
    rule,
    confidence: 'dashed',
    evidence: [...evidence, `a workload has the service's name`],
    targets: [target(service)],
  }
}
