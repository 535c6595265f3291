import { parseWorkloadId } from '../identity.ts'
import { targetsBehind, underOurName } from './target.ts'
import type { KnownWorkload, StitchedEdge, World } from './types.ts'

/**
 * Calls that only the callee's labels tell: the caller's cluster does not answer, the caller has no proxy, or nobody
 * knows who it is. What the callee counted stands in for the caller's numbers.
 */
export function calleeSide(world: World, known: ReadonlyMap<string, StitchedEdge>): StitchedEdge[] {
  // Whose place is a guess is no callee to be believed: its callers' calls are looked at one by one.
  const edges: StitchedEdge[] = []
  for (const callee of world.workloads.values()) {
    if (callee.assumed) continue
    for (const label of callee.byCaller.keys()) {
      const caller = label.startsWith('outside/') ? label : underOurName(label, world)
      if (!known.has(`${caller}~${callee.id}`)) edges.push(seenByCallee(callee, label, caller))
    }
  }
  return edges
}

function seenByCallee({ id, ref }: KnownWorkload, label: string, caller: string): StitchedEdge {
  const from = caller.startsWith('outside/') ? undefined : parseWorkloadId(caller)
  return {
    id: `${caller}~${id}`,
    from: caller,
    to: id,
    seam: from !== undefined && from.cluster !== ref.cluster,
    rule: 'labels',
    confidence: 'solid',
    evidence: [
      from === undefined
        ? "the callee's proxy does not know these callers: outside the mesh, in plain text, or probes"
        : `the callee's proxy names ${caller}; the caller's own is not heard`,
    ],
    destination: null,
    via: null,
    host: null,
    callerFlows: [],
    callerCluster: from?.cluster ?? ref.cluster,
    measure: 'full',
    attempts: 'each',
    calleeBy: { caller: label },
    outside: false,
  }
}

/**
 * Callers that only a gateway names, by their identity: their cluster does not answer. Nothing tells which workload
 * they are, so each stays a node of its own; an identity that somebody who answers shows is that one's, and known.
 */
export function gatewaySide(world: World): StitchedEdge[] {
  if (world.silent.size === 0) return []
  return [...world.passing].flatMap(([service, clients]) => {
    const cluster = service.slice(0, service.indexOf('/'))
    const ends = targetsBehind(service, world) ?? []
    const unheard = [...clients].filter((identity) => !world.homes.has(identity))
    return unheard.flatMap((identity) =>
      ends.map(({ id }): StitchedEdge => {
        const from = `outside/${identity}`
        return {
          id: `${from}~${id}`,
          from,
          to: id,
          seam: false,
          rule: 'identity',
          confidence: 'dashed',
          evidence: [
            `the gateway of ${cluster} was asked for ${service} by the identity ${identity}, which nobody who answers shows`,
          ],
          destination: null,
          via: null,
          host: null,
          callerFlows: [],
          callerCluster: cluster,
          measure: 'full',
          attempts: 'each',
          calleeBy: null,
          outside: false,
        }
      }),
    )
  })
}
