import { parseWorkloadId } from '../identity.ts'
import { underOurName } from './target.ts'
import type { StitchedEdge, World } from './types.ts'

/**
 * Calls that only the callee's labels tell: the caller's cluster does not answer, the caller has no proxy, or nobody
 * knows who it is. What the callee counted stands in for the caller's numbers.
 */
export function calleeSide(world: World, known: ReadonlyMap<string, StitchedEdge>): StitchedEdge[] {
  return [...world.workloads.values()].flatMap(({ id, ref, byCaller }) =>
    [...byCaller.keys()].flatMap((label): StitchedEdge[] => {
      const caller = label.startsWith('outside/') ? label : underOurName(label, world)
      const edgeId = `${caller}~${id}`
      if (known.has(edgeId)) return []
      const from = caller.startsWith('outside/') ? undefined : parseWorkloadId(caller)
      return [
        {
          id: edgeId,
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
        },
      ]
    }),
  )
}
