import type { Observation } from '../../src/domain/observation.ts'
import type { ClusterPrometheus } from '../../src/prometheus/create-prometheus.ts'
import { type DrawnWorld, drawnSeries, drawnWorlds } from './drawn-worlds.ts'
import type { Engines } from './find-engines.ts'
import { startFleet } from './fleet.ts'
import { oddWorkload } from './oddities.ts'
import { clientOf, observe } from './ours.ts'
import { startPage } from './page.ts'
import { remoteWrite } from './remote-write.ts'
import { askDirectly } from './theirs.ts'
import { drawWorld, type Timeline, type World } from './world.ts'

export const WINDOW_SECONDS = 60
const SPOILT = [
  ...(['nanRequests', 'nanLatency', 'nanBuckets'] as const),
  ...(['infRequests', 'infLatency', 'infBuckets'] as const),
]
const STEP_SECONDS = 10
const STEPS = 20
const GRAPH_SEEDS = [7, 8, 9]
const EARLIER_SECONDS = 900
/** Prometheus begins new chunks at every even hour (UTC). */
const BLOCK_SECONDS = 7_200

/** `1` as the proxies write it and Prometheus 2 keeps it, `1.0` as Prometheus 3 stores it. */
const asWritten = (bound: number) => (bound === Number.POSITIVE_INFINITY ? '+Inf' : `${bound}`)
const asStored = (bound: number) => (bound === Number.POSITIVE_INFINITY ? '+Inf' : bound.toFixed(1))

export interface RealFleet {
  readonly clusters: readonly string[]
  readonly thanosUrl: string
  readonly urls: ReadonlyMap<string, string>
  /** What was drawn for each cluster, one world a call graph. */
  readonly worlds: ReadonlyMap<string, readonly World[]>
  /** One client a cluster; that of `east` knows both replicas. */
  readonly clients: ReadonlyMap<string, ClusterPrometheus>
  readonly thanos: ClusterPrometheus
  /** Instants of the drawn worlds. */
  readonly instants: readonly number[]
  /** An earlier instant, at which namespace `odd` holds measured NaNs and nothing else is there. */
  readonly nanAtSeconds: number
  /** Fleets with random calls between their clusters, each at an instant of its own. */
  readonly drawn: readonly DrawnWorld[]
  observeAll(atSeconds: number): Promise<Observation[]>
  close(): Promise<void>
}

/**
 * Clusters `east` (two replicas), `west`, and, where there is a Prometheus 2, `north` with it. All share the call graphs;
 * each measured something else. `west` and `north` scrape one and the same page besides.
 */
export async function startRealFleet(engines: Engines, nowSeconds: number): Promise<RealFleet> {
  const page = await startPage()
  const wanted = [
    { cluster: 'east', replica: 'a', binary: engines.prometheus3, scrapes: '  []' },
    { cluster: 'east', replica: 'b', binary: engines.prometheus3, scrapes: '  []' },
    { cluster: 'west', replica: 'a', binary: engines.prometheus3, scrapes: page.scrapes },
    ...(engines.prometheus2 === null
      ? []
      : [{ cluster: 'north', replica: 'a', binary: engines.prometheus2, scrapes: page.scrapes }]),
  ]
  const fleet = await startFleet(engines, wanted).catch((error: unknown) => {
    page.close()
    throw error
  })
  const end = endOfData(nowSeconds)
  const main: Timeline = { startSeconds: end - (STEPS - 1) * STEP_SECONDS, stepSeconds: STEP_SECONDS, steps: STEPS }
  const early: Timeline = { ...main, startSeconds: main.startSeconds - EARLIER_SECONDS }
  const clusters = [...new Set(wanted.map(({ cluster }) => cluster))]
  const worlds = new Map<string, readonly World[]>()
  const drawnFleets = drawnWorlds(clusters, main.startSeconds)
  await Promise.all(
    wanted.map(async ({ cluster, replica }) => {
      const url = fleet.prometheus.get(`${cluster}/${replica}`) ?? ''
      const le = cluster === 'north' ? asWritten : asStored
      const options = { timeline: main, le, delayMs: replica === 'a' ? 0 : 90 }
      const drawn = GRAPH_SEEDS.map((graphSeed) =>
        drawWorld({ ...options, graphSeed, seed: 100 * graphSeed + clusters.indexOf(cluster) }),
      )
      worlds.set(cluster, drawn)
      const nan = SPOILT.flatMap((oddity) => oddWorkload(cluster === 'east' ? oddity : 'busy', oddity, early, le))
      await remoteWrite(url, nan)
      await remoteWrite(url, drawnSeries(drawnFleets, cluster, le))
      const odd = (['busy', 'idle', 'ended'] as const).flatMap((oddity) => oddWorkload(oddity, oddity, main, le))
      // Loads that make no round numbers: the sums of the clusters then differ by their order.
      const tie = oddWorkload('tie', 'tie', main, le, 1.1 + clusters.indexOf(cluster) * 2.3)
      await remoteWrite(url, [...drawn.flatMap(({ series }) => series), ...tie, ...(cluster === 'east' ? odd : [])])
    }),
  )
  const urlsOf = (cluster: string) =>
    wanted
      .filter((one) => one.cluster === cluster)
      .map((one) => fleet.prometheus.get(`${cluster}/${one.replica}`) ?? '')
  const clients = new Map(clusters.map((cluster) => [cluster, clientOf(cluster, urlsOf(cluster))]))
  const thanos = clientOf('thanos', [fleet.thanosUrl])
  return {
    clusters,
    thanosUrl: fleet.thanosUrl,
    urls: new Map(clusters.map((cluster) => [cluster, urlsOf(cluster)[0] ?? ''])),
    worlds,
    clients,
    thanos,
    // Off the steps, so that no sample lies on the edge of a window: 2.x counts it, 3.x does not.
    instants: [end - 90 + 0.7, end - 40 + 0.7, end + 0.7],
    drawn: drawnFleets,
    nanAtSeconds: early.startSeconds + (STEPS - 1) * STEP_SECONDS + 0.7,
    observeAll: (atSeconds) =>
      Promise.all([...clients].map(([cluster, client]) => observe(cluster, client, atSeconds, WINDOW_SECONDS))),
    async close() {
      await Promise.all([...clients.values(), thanos].map((client) => client.close()))
      await fleet.close()
      page.close()
    },
  }
}

/**
 * The last step of the data: just now, or just before the last even hour if the data would lie on both sides of it.
 * There Thanos loses samples of replicas that scrape at different moments: its rates came out up to a tenth too low,
 * at some times of the day only (seen with 0.42.5; with equal timestamps it does not happen).
 */
function endOfData(nowSeconds: number): number {
  const evenHour = Math.floor(nowSeconds / BLOCK_SECONDS) * BLOCK_SECONDS
  const spanSeconds = EARLIER_SECONDS + (STEPS + 1) * STEP_SECONDS
  const end = nowSeconds - spanSeconds < evenHour ? evenHour : nowSeconds
  return Math.floor(end / STEP_SECONDS) * STEP_SECONDS - STEP_SECONDS
}

/** Waits until the page was scraped often enough for rates over `windowSeconds`; gives the instant to ask for. */
export async function untilScraped(fleet: RealFleet, windowSeconds: number): Promise<number> {
  const samples = `count_over_time(response_total{namespace="scraped"}[${windowSeconds}s]) > ${windowSeconds}`
  const scraping = fleet.clusters.filter((cluster) => cluster !== 'east')
  for (;;) {
    // What is being scraped is in by then: later it has the same answer.
    const atSeconds = Date.now() / 1_000 - 2
    const answers = await Promise.all(
      scraping.map((cluster) => askDirectly(fleet.urls.get(cluster) ?? '', samples, atSeconds)),
    )
    if (answers.every(({ length }) => length > 0)) return atSeconds
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
