import { workloadId } from '../identity.ts'
import { destinationText, outsideId } from './outside.ts'
import type { Call, Resolution, UnresolvedCall, World } from './types.ts'

/** A call that is not joined, with the lines of configuration that would join it. */
export function todo(
  call: Call,
  candidates: readonly string[],
  world: World,
  found: Resolution | null = null,
): UnresolvedCall {
  return {
    from: call.from,
    destination: nameOf(call),
    requestsPerSecond: call.rates.now ?? call.rates.before,
    candidates,
    suggestion: suggestion(call, candidates, world, found === null ? null : doorOf(found)),
  }
}

const PLACE = 'CLUSTER/NAMESPACE/WORKLOAD'

/** Mirrored services of several clusters may have one name. */
function nameOf(call: Call): string {
  const { destination } = call
  if (destination.kind === 'workload') return workloadId(destination.workload)
  if (destination.kind === 'mirror') return `${destination.cluster}/${destination.namespace}/${destination.service}`
  return destinationText(call) ?? outsideId(call)
}

/** The one ingress that all candidates are behind. */
function doorOf({ rule, targets }: Resolution): string | null {
  const doors = new Set(targets.map(({ via }) => via))
  const [door] = doors
  return rule === 'ingress' && doors.size === 1 ? (door ?? null) : null
}

/** The lines as they are, where only one end comes into question; with a place to fill in where a person must choose. */
function suggestion(call: Call, candidates: readonly string[], world: World, door: string | null): string {
  const [only] = candidates
  // What surely is there: the ingress, whose own calls are measured. Better only where a person knows which it is.
  if (door !== null && candidates.length > 1)
    return `${linesFor(call, door, world)} # or, if it is only one of them: ${candidates.join(', ')}`
  const lines = linesFor(call, candidates.length === 1 ? only : undefined, world)
  return candidates.length > 1 ? `${lines} # one of ${candidates.join(', ')}` : lines
}

function linesFor(call: Call, candidate: string | undefined, world: World): string {
  const { destination } = call
  const to = candidate ?? PLACE
  switch (destination.kind) {
    case 'address':
      return route('address', destination.address, to)
    case 'host':
      return route('host', destination.host, to)
    case 'mirror':
      return world.clusterNames.has(destination.cluster)
        ? behind(destination, world.clusterNames.get(destination.cluster) ?? '', candidate)
        : alias(destination.cluster, candidate)
    case 'service':
      return behind(destination, destination.cluster, candidate)
    case 'pod': {
      const link = destination.asked.slice((destination.service ?? '').length + 1)
      if (link !== 'federated' && link !== '' && !world.clusterNames.has(link)) return alias(link, candidate)
      if (destination.address !== null) return route('address', destination.address, to)
      return route('host', `${destination.asked}.${destination.workload.namespace}`, to)
    }
    case 'unknown':
      return route('host', [...call.clues.hosts][0] ?? destination.what, to)
    case 'workload':
      if (destination.assumed) return route('host', [...call.clues.hosts][0] ?? destination.workload.name, to)
      return alias(destination.workload.cluster, candidate)
    default:
      return destination satisfies never
  }
}

function route(by: 'host' | 'address', pattern: string, to: string): string {
  return `routes:\n  - { ${by}: "${pattern}", to: ${to} }`
}

function alias(name: string, candidate: string | undefined): string {
  return `aliases:\n  - { name: ${name}, cluster: ${candidate?.split('/', 1)[0] ?? 'CLUSTER'} }`
}

function behind(
  { namespace, service }: { readonly namespace: string; readonly service: string },
  cluster: string,
  candidate: string | undefined,
): string {
  const workload = candidate ?? `${cluster}/${namespace}/WORKLOAD`
  return `services:\n  - { service: ${cluster}/${namespace}/${service}, workloads: [${workload}] }`
}
