import { drawCalls } from './draw-calls.ts'
import { expect } from './expectation.ts'
import { Chance } from './random.ts'
import type { SimCall, SimCluster, SimWorkload, SimWorld } from './types.ts'

export interface DrawOptions {
  readonly seed: number
  /** Workloads, ingresses not counted. */
  readonly least: number
  readonly most: number
  /** Requests per second of all workloads together that are aimed at, per workload to the power of 0.6. */
  readonly busyness: number
}

const USUAL: Omit<DrawOptions, 'seed'> = { least: 10, most: 500, busyness: 22 }
const NAMES = ['cart', 'stock', 'price', 'user', 'mail', 'search', 'media', 'tax', 'ship', 'quote', 'feed', 'auth']

/**
 * A random fleet: 10 to 500 workloads (as many small as large ones) in one to eight clusters, in layers that call
 * deeper ones, one after the other and all at once; some calls cross clusters over mirrors or a plain ingress, some
 * nobody waits for, a few lead back. Workers are sized for the load, pools of threads generously.
 */
export function drawWorld(wanted: Partial<DrawOptions> & { readonly seed: number }): SimWorld {
  const options = { ...USUAL, ...wanted }
  const chance = new Chance(options.seed)
  const size = Math.round(chance.logBetween(options.least, options.most))
  const clusterCount = chance.whole(1, Math.min(8, Math.max(2, Math.round(size / 8))))
  const scrapeSeconds = chance.pick([5, 10, 10, 15])
  const workloads = drawWorkloads(chance, size, clusterCount)
  const layers = layersOf(chance, size)
  const withDoors = Array.from({ length: clusterCount }, (_, cluster) => ({ cluster, has: chance.yes(0.6) }))
  const doors = new Map<number, number>()
  for (const { cluster, has } of withDoors) if (has) doors.set(cluster, workloads.push(doorOf(cluster, workloads)) - 1)
  const calls = thinned(drawCalls(chance, workloads, layers, doors), size)
  const roots = workloads.filter(({ index, role }) => role === 'workload' && layers[index] === 0)
  const clusters = Array.from(
    { length: clusterCount },
    (_, cluster): SimCluster => ({ name: `c${cluster}`, scrapeSeconds, ingress: doors.get(cluster) ?? null }),
  )
  const weights = roots.map(() => chance.logBetween(0.5, 4))
  const raw: SimWorld = {
    seed: options.seed,
    clusters,
    workloads: staged(workloads, calls, chance),
    calls,
    entries: roots.map(({ index }, at) => ({ workload: index, requestsPerSecond: weights[at] as number })),
    countsAbandoned: chance.yes(0.5),
  }
  return sized(raw, chance, options.busyness * size ** 0.6)
}

/** Above so many workloads, not every request gets everywhere. */
const THICK = 100

/** Fewer calls per request the larger the fleet: else one request in front would cause thousands behind. */
function thinned(calls: readonly SimCall[], size: number): SimCall[] {
  const part = size <= THICK ? 1 : Math.sqrt(THICK / size)
  return calls.map((call) => (call.style === 'forward' ? call : { ...call, count: call.count * part }))
}

function drawWorkloads(chance: Chance, size: number, clusters: number): SimWorkload[] {
  return Array.from({ length: size }, (_, index): SimWorkload => {
    const name = `${NAMES[index % NAMES.length]}-${index}`
    const namespace = `ns${index % Math.ceil(size / 12)}`
    return {
      index,
      cluster: chance.whole(0, clusters - 1),
      namespace,
      name,
      account: chance.yes(0.15) ? 'default' : name,
      role: 'workload',
      meshed: true,
      pods: chance.whole(1, 4),
      workers: 1,
      holdsWorkers: chance.yes(0.4),
      queueLimit: 100_000,
      ownSeconds: chance.logBetween(0.002, 0.04),
      ownSigma: chance.between(0.3, 0.9),
      failureRatio: chance.yes(0.3) ? chance.logBetween(0.000_2, 0.004) : 0,
      stages: [],
    }
  })
}

function doorOf(cluster: number, workloads: readonly SimWorkload[]): SimWorkload {
  return {
    index: workloads.length,
    cluster,
    namespace: 'ingress',
    name: 'door',
    account: 'door',
    role: 'ingress',
    meshed: true,
    pods: 2,
    workers: 64,
    holdsWorkers: false,
    queueLimit: 100_000,
    ownSeconds: 0.001,
    ownSigma: 0.3,
    failureRatio: 0,
    stages: [],
  }
}

/** Few in front, more the deeper. */
function layersOf(chance: Chance, size: number): number[] {
  const depth = Math.min(7, 3 + Math.round(Math.log2(size / 8) * chance.between(0.4, 0.9)))
  const fronts = Math.max(1, Math.min(8, Math.round(size / chance.between(8, 20))))
  return Array.from({ length: size }, (_, index) => (index < fronts ? 0 : 1 + Math.floor(chance.next() * (depth - 1))))
}

/** Calls of a workload go one after the other, or in groups all at once. */
function staged(workloads: readonly SimWorkload[], calls: readonly SimCall[], chance: Chance): SimWorkload[] {
  return workloads.map((workload) => {
    if (workload.role === 'ingress') return workload
    const stages: number[][] = []
    for (const { index, from } of calls) {
      if (from !== workload.index) continue
      const last = stages.at(-1)
      if (last !== undefined && chance.yes(0.4)) last.push(index)
      else stages.push([index])
    }
    return { ...workload, stages }
  })
}

/** Rates so that the whole fleet has about as many requests as wanted; workers for what then arrives. */
function sized(raw: SimWorld, chance: Chance, requestsPerSecond: number): SimWorld {
  const total = expect(raw).requestsPerSecond.reduce((sum, rate) => sum + rate, 0)
  const factor = requestsPerSecond / total
  const entries = raw.entries.map((entry) => ({ ...entry, requestsPerSecond: entry.requestsPerSecond * factor }))
  const { meanSeconds, requestsPerSecond: rates } = expect({ ...raw, entries })
  const workloads = raw.workloads.map((workload) => {
    if (workload.role === 'ingress') return workload
    const rate = (rates[workload.index] ?? 0) / workload.pods
    const busy = rate * (workload.holdsWorkers ? (meanSeconds[workload.index] ?? 0) : workload.ownSeconds)
    const used = chance.between(0.1, 0.5)
    const needed = Math.ceil(busy / used)
    // A pool of threads is sized for bad days; who waits without a thread needs as many as there are processors.
    const workers = workload.holdsWorkers ? Math.max(needed, chance.pick([32, 64, 128])) : Math.max(needed, 2)
    // One at a time is what small things that call nobody are.
    const single = chance.yes(0.12) && busy < 0.4 && (!workload.holdsWorkers || workload.stages.length === 0)
    return { ...workload, workers: single ? 1 : workers }
  })
  return { ...raw, entries, workloads }
}
