import type { Question } from '../../src/dialects/dialect.ts'
import { inventoryQuestions, readInventory } from '../../src/dialects/inventory.ts'
import { readAtOnce } from '../../src/dialects/read-series.ts'
import { dialectsFor } from '../../src/dialects/registry.ts'
import type { Observation } from '../../src/domain/observation.ts'
import type { Inventory } from '../../src/domain/stitch/inventory.ts'
import { collectInstant } from '../../src/federation/collect.ts'
import { mergeObservations } from '../../src/federation/merge-observations.ts'
import type { PrometheusApi } from '../../src/prometheus/api.ts'
import { clientOf } from '../engines/ours.ts'
import { remoteWrite } from '../engines/remote-write.ts'
import { startPrometheus } from '../support/start-prometheus.ts'
import type { Seen } from './prove.ts'
import { timeSeriesOf, WINDOW_SECONDS, type World } from './world.ts'

/** Far enough apart that no cluster's samples are in another's window or lookback. */
const SLOT_SECONDS = 900

/** One real Prometheus that holds every cluster of every world, each at an instant of its own. */
export interface LoadedWorlds {
  /** Writes the world's pages into it and reads them as the server would; worlds must be drawn at 0 seconds. */
  load(world: World): Promise<Seen>
  close(): Promise<void>
}

/** `slots`: how many clusters there will be at most. */
export async function startLoading(binary: string, slots: number): Promise<LoadedWorlds> {
  const prometheus = await startPrometheus(binary, 'global: {}\n')
  const client = clientOf('world', [prometheus.url])
  let atSeconds = Math.floor(Date.now() / 1_000) - slots * SLOT_SECONDS
  return {
    async load(world) {
      const observations: Observation[] = []
      const inventories: Inventory[] = []
      for (const { name } of world.truth.clusters) {
        atSeconds += SLOT_SECONDS
        const series = timeSeriesOf(world, name).map(({ labels, samples }) => ({
          labels,
          samples: samples.map(({ atMs, value }) => ({ value, atMs: atMs + atSeconds * 1_000 })),
        }))
        await remoteWrite(prometheus.url, series)
        const metrics = new Set(series.map(({ labels }) => labels.__name__ ?? ''))
        const read = await readCluster(client, world, name, metrics, atSeconds)
        observations.push(read.observation)
        inventories.push(read.inventory)
      }
      return { observations, inventories, speed: 1, tolerance: 0.01 }
    },
    async close() {
      await client.close()
      await prometheus.close()
    },
  }
}

/** What the server would read of one cluster that holds these metrics. */
export async function readCluster(
  api: PrometheusApi,
  { truth }: World,
  name: string,
  metrics: ReadonlySet<string>,
  atSeconds: number,
): Promise<{ observation: Observation; inventory: Inventory }> {
  const ask = async (questions: readonly Question[]) => {
    const { answers, failures } = await collectInstant(api, questions, atSeconds, AbortSignal.timeout(60_000))
    for (const { question, error } of failures) throw new Error(`${name}, ${question}: ${error.message}`)
    return answers
  }
  const peers = () => truth.clusters.flatMap((other) => (other.name === name ? [] : [other.name]))
  const spoken = dialectsFor({ named: 'auto', peers, overrides: {} }).filter(({ detectedBy }) =>
    detectedBy.some((metric) => metrics.has(metric)),
  )
  const read: Observation[] = []
  for (const dialect of spoken) read.push(readAtOnce(dialect, name, 1, await ask(dialect.questions(WINDOW_SECONDS))))
  const inventory = readInventory(name, await ask(inventoryQuestions(metrics, WINDOW_SECONDS)))
  return { observation: mergeObservations(name, 1, read), inventory }
}
