import { answering, oneWorkload } from '../support/fake-mesh.ts'
import type { Answering } from '../support/fake-prometheus.ts'

/** Enough for every percentile to have its samples. */
export const RATE = 100
/** So little that nobody takes it for a change, so much that answers, which have 11 digits, tell milliseconds apart. */
const GROWTH_PER_SECOND = 1e-4
const startedAtSeconds = Date.now() / 1_000

/**
 * The mesh of a healthy cluster, whose rate of the moment says when it was asked: how old a row is that somebody has
 * on screen can be read off its number, whatever the server says about its age.
 */
export function tellingMesh(name: string): Answering {
  return (asked, response) => {
    const isOfNow = asked.path.endsWith('/query')
    const rate = isOfNow ? RATE + (Date.now() / 1_000 - startedAtSeconds) * GROWTH_PER_SECOND : RATE
    return answering(oneWorkload(name, rate))(asked, response)
  }
}

/** When the cluster was asked for this rate; unix seconds. */
export function toldAtSeconds(requestsPerSecond: number): number {
  return startedAtSeconds + (requestsPerSecond - RATE) / GROWTH_PER_SECOND
}
