import type { StitchedEdge } from './stitch/types.ts'

/** What a guessed edge counts as: calls to a place that nobody sees into, and how much of its rate. */
export interface Guess {
  /** The ingress that the calls go through, else what they are called by. */
  readonly to: string
  readonly part: number
}

const OUTSIDE = 'outside/'

/**
 * Dotted edges keep their calls' time and failures, and blame nobody. Candidates may hold the same calls each, or a
 * share of them: together they count for no more than there are, and for no less, or the rest would be taken for the
 * caller's own.
 */
export function guessesOf(edges: readonly { readonly edge: StitchedEdge }[]): (edge: StitchedEdge) => Guess {
  const shares = new Map<string, number>()
  for (const { edge } of edges) {
    if (edge.confidence !== 'dotted') continue
    for (const { key, share } of edge.callerFlows) shares.set(key, (shares.get(key) ?? 0) + share)
  }
  return ({ via, destination, to, callerFlows }) => ({
    to: `${OUTSIDE}${via ?? destination ?? to}`,
    part: Math.min(1, ...callerFlows.map(({ key }) => 1 / (shares.get(key) ?? 1))),
  })
}

/** The ingress behind which calls get lost, if that is what this node stands for. */
export function ingressBefore(id: string, ingressIds: ReadonlySet<string>): string | null {
  const workload = id.startsWith(OUTSIDE) ? id.slice(OUTSIDE.length) : ''
  return ingressIds.has(workload) ? workload : null
}
