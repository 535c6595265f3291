import { drawTruth } from '../worlds/draw-truth.ts'
import type { Truth } from '../worlds/truth.ts'
import { timeSeriesOf, type World, worldOf } from '../worlds/world.ts'
import type { TimeSeries } from './remote-write.ts'

/** A fleet drawn with the calls between its clusters, as its proxies' pages tell it. */
export interface DrawnWorld {
  readonly seed: number
  readonly world: World
}

/** How long before the other data each is: far from all of it, and from each other. Oldest first, as Prometheus wants. */
const BEFORE_SECONDS = [400, 250]
const MOST_SEEDS = 2_000
/** Each has nearly every way from one cluster to another. */
const LEAST_WAYS = 6
/** And calls to hosts, told by host. */
const LEAST_BY_HOST = 8

/** Fleets of Linkerd whose clusters there are servers for; `startSeconds` is where the other data begin. */
export function drawnWorlds(servers: readonly string[], startSeconds: number): DrawnWorld[] {
  const found: Truth[] = []
  for (let seed = 1; seed <= MOST_SEEDS && found.length < BEFORE_SECONDS.length; seed += 1) {
    const truth = drawTruth(seed)
    if (isFit(truth, servers)) found.push(truth)
  }
  return found.map((truth, index) => {
    const atSeconds = startSeconds - (BEFORE_SECONDS[index] ?? 0) + 0.7
    return { seed: truth.seed, world: worldOf(truth, { bounds: 'all', atSeconds }) }
  })
}

function isFit({ clusters, calls }: Truth, servers: readonly string[]): boolean {
  if (clusters.some(({ name, istio }) => istio || !servers.includes(name))) return false
  const naming = clusters.filter(({ hostnames }) => hostnames).map(({ name }) => name)
  const byHost = calls.filter(({ from, host }) => host !== null && naming.includes(from.cluster))
  return new Set(calls.map(({ style }) => style)).size >= LEAST_WAYS && byHost.length >= LEAST_BY_HOST
}

/**
 * What a cluster's Prometheus has scraped of them, with bounds as that one keeps them. Without `up`, which would tell
 * that a target of the one fleet was there before a series of the other.
 */
export function drawnSeries(
  drawn: readonly DrawnWorld[],
  cluster: string,
  le: (bound: number) => string,
): TimeSeries[] {
  const series = drawn.flatMap(({ world }) => timeSeriesOf(world, cluster))
  return series.flatMap(({ labels, ...rest }) => {
    if (labels.__name__ === 'up') return []
    const bound = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)
    const whole = Number.isInteger(bound) || bound === Number.POSITIVE_INFINITY
    return { ...rest, labels: labels.le === undefined ? labels : { ...labels, le: whole ? le(bound) : `${bound}` } }
  })
}
