import { dirname, join } from 'node:path'
import type { Engines } from '../engines/find-engines.ts'
import { type Fleet, startFleet } from '../engines/fleet.ts'
import { type HistogramSample, remoteWrite, type TimeSeries } from '../engines/remote-write.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'

/** Clusters `east`, `west` and `north`, each a Prometheus with a sidecar, behind one Thanos Query. */
export interface ManyWorld {
  readonly fleet: Fleet
  /** Finds all three behind the Thanos Query. */
  readonly found: StartedGoldseam
  /** Finds `east` and `west` there, and asks `north` directly. */
  readonly mixed: StartedGoldseam
  /** Knows them by their label `region`, as `orient`, `occident` and `r-north`. */
  readonly renamed: StartedGoldseam
  /** The last instant of what was written, unix seconds. */
  readonly atSeconds: number
  readonly promtool: string
  close(): Promise<void>
}

export const CLUSTERS = ['east', 'west', 'north']
export const STEP_SECONDS = 15
const STEPS = 20

export async function startManyWorld(engines: Engines): Promise<ManyWorld> {
  const fleet = await startFleet(
    engines,
    CLUSTERS.map((cluster) => ({
      cluster,
      replica: 'a',
      binary: engines.prometheus3,
      scrapes: '  []',
      labels: { region: `r-${cluster}` },
    })),
  )
  const goldseams: StartedGoldseam[] = []
  const close = async () => {
    for (const goldseam of goldseams) await goldseam.close()
    await fleet.close()
  }
  try {
    const atSeconds = Math.floor(Date.now() / 1_000 / STEP_SECONDS) * STEP_SECONDS
    const urlOf = (cluster: string) => fleet.prometheus.get(`${cluster}/a`) ?? ''
    await Promise.all(CLUSTERS.map((cluster, index) => remoteWrite(urlOf(cluster), seriesOf(index, atSeconds))))
    const start = async (discover: string, clusters = '') => {
      const url = `url: "${fleet.thanosUrl}", replicaLabels: [replica]`
      const goldseam = await startGoldseam(
        `log: { level: silent }\nrefresh: 1s\n${clusters}discover:\n  - { ${url}, ${discover} }\n`,
      )
      goldseams.push(goldseam)
      return goldseam
    }
    const found = await start('timeout: 10s')
    const north = `clusters:\n  - { name: north, endpoints: [{ url: "${urlOf('north')}" }] }\n`
    const mixed = await start('exclude: [north]', north)
    const renamed = await start('clusterLabel: region, rename: { r-east: orient, r-west: occident }')
    const promtool = join(dirname(engines.prometheus3), 'promtool')
    return { fleet, found, mixed, renamed, atSeconds, promtool, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Three pods a cluster, whose numbers are nowhere the same. */
function seriesOf(cluster: number, endSeconds: number): TimeSeries[] {
  const of = (labels: Record<string, string>, value: (step: number) => number): TimeSeries => ({
    labels: { job: 'web', ...labels },
    samples: Array.from({ length: STEPS }, (_, step) => ({
      // Off the step, so that none lies on the edge of a window.
      atMs: (endSeconds - (STEPS - 1 - step) * STEP_SECONDS) * 1_000 - 700,
      value: value(step),
    })),
  })
  return ['a', 'b', 'c'].flatMap((pod, index) => {
    const weight = (cluster + 1) * (index + 1.3)
    return [
      of({ __name__: 'up', pod }, () => (cluster === 1 && pod === 'b' ? 0 : 1)),
      of({ __name__: 'queue', pod }, (step) => weight + Math.sin(step + weight)),
      of({ __name__: 'requests_total', pod }, (step) => Math.round(step * weight * 17)),
      ...['0.1', '0.5', '1.0', '5.0', '+Inf'].map((le, bucket) =>
        of({ __name__: 'seconds_bucket', pod, le }, (step) => step * (cluster + 1) ** (bucket + 1) * (bucket + index)),
      ),
      { labels: { job: 'web', __name__: 'native_seconds', pod }, samples: [], histograms: natives(cluster, index) },
    ]
  })

  /** As fine as the cluster, so that they have to be made alike before they are added up. */
  function natives(cluster: number, index: number): NonNullable<TimeSeries['histograms']> {
    return Array.from({ length: STEPS }, (_, step) => ({
      atMs: (endSeconds - (STEPS - 1 - step) * STEP_SECONDS) * 1_000 - 700,
      value: nativeOf(step, cluster, index),
    }))
  }
}

function nativeOf(step: number, cluster: number, index: number): HistogramSample {
  const buckets = new Map([0, 1, 2, 5, 9].map((at) => [at + cluster * 2, step * (at + 1) * (index + 1)]))
  return { sum: step * 7.5 * (cluster + 1), schema: 1 + cluster, zero: { threshold: 2 ** -12, count: step }, buckets }
}
