import { type CallEdge, type CallNode, callGraph } from '../../src/domain/call-graph.ts'
import { decomposeDelta, netOf, ownDelta } from '../../src/domain/own-time.ts'
import { Chance } from './sim/random.ts'

export interface Speed {
  readonly workloads: number
  readonly edges: number
  readonly foci: number
  /** Each round on a graph that nothing is known of yet: accounts, fleet ranking, then the foci. */
  readonly rounds: readonly { readonly accountsMs: number; readonly rankingMs: number; readonly fociMs: number }[]
}

const SIZE = { workloads: 20_000, edges: 100_000, foci: 50 }
const ROUNDS = 9

/** How long the own times of a very large fleet take. */
export function measureSpeed(): Speed {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const graph = drawGraph(round + 1)
    const ids = [...graph.nodes.keys()]
    const began = performance.now()
    netOf(graph, 'delta')
    const drawnUp = performance.now()
    const ranked = ids
      .map((id) => ({
        id,
        blame: (ownDelta(graph, id).seconds ?? 0) * (graph.nodes.get(id)?.now?.requestsPerSecond ?? 0),
      }))
      .sort((a, b) => b.blame - a.blame)
    const rankedAt = performance.now()
    let sum = 0
    for (let focus = 0; focus < SIZE.foci; focus += 1) {
      const id = ids[focus * 7] as string
      const found = decomposeDelta(graph, id)
      sum += found?.atLeast(0.25 * Math.abs(found.totalSeconds)).length ?? 0
    }
    const ended = performance.now()
    if (ranked.length === 0 || sum === 0) throw new Error('nothing was computed')
    return { accountsMs: drawnUp - began, rankingMs: rankedAt - drawnUp, fociMs: ended - rankedAt }
  })
  return { ...SIZE, rounds }
}

/** Layers that call deeper ones, a few calls back up: what large fleets look like. */
function drawGraph(seed: number) {
  const chance = new Chance(seed)
  const rateOf = (at: number) => 1 + (at % 97)
  const nodes = Array.from({ length: SIZE.workloads }, (_, at): CallNode => {
    const id = `c${at % 50}/ns${at % 211}/w${at}`
    const usual = { requestsPerSecond: rateOf(at), meanSeconds: chance.between(0.01, 0.5) }
    const now = { requestsPerSecond: rateOf(at), meanSeconds: usual.meanSeconds * chance.between(0.9, 1.4) }
    return { id, reportAs: id, now, usual }
  })
  const edges = Array.from({ length: SIZE.edges }, (_, at): CallEdge => {
    const from = at % SIZE.workloads
    const back = chance.yes(0.000_5)
    const reach = Math.min(SIZE.workloads - 1, from + 1 + Math.floor(chance.next() * 4_000))
    const to = back ? Math.max(0, from - 1 - Math.floor(chance.next() * 4_000)) : reach
    const requestsPerSecond = rateOf(from) * chance.between(0.02, 0.4)
    const callerMeanSeconds = chance.between(0.005, 0.1)
    const usual = { requestsPerSecond, callerMeanSeconds, calleeMeanSeconds: null }
    const now = {
      requestsPerSecond,
      callerMeanSeconds: callerMeanSeconds * chance.between(0.9, 1.4),
      calleeMeanSeconds: null,
    }
    const [a, b] = [nodes[from]?.id ?? '', nodes[to]?.id ?? '']
    return { id: `${a}~${b}#${at}`, from: a, to: b, now, usual }
  })
  return callGraph(nodes, edges)
}
