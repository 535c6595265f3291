import { createServer, type Server } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import type { Question } from '../../src/dialects/dialect.ts'
import { INVENTORY_METRICS, inventoryQuestions, readInventory } from '../../src/dialects/inventory.ts'
import { readAtOnce } from '../../src/dialects/read-series.ts'
import { dialectsFor } from '../../src/dialects/registry.ts'
import type { Observation } from '../../src/domain/observation.ts'
import { collectInstant } from '../../src/federation/collect.ts'
import { mergeObservations } from '../../src/federation/merge-observations.ts'
import { clientOf } from '../engines/ours.ts'
import { askDirectly } from '../engines/theirs.ts'
import { listening } from '../support/fake-prometheus.ts'
import { startPrometheus } from '../support/start-prometheus.ts'
import { pageText } from './exposition.ts'
import { noFindings, prove } from './prove.ts'
import { STEP_SECONDS, type TrueCluster, type Truth } from './truth.ts'
import { drawWorld, pagesOf } from './world.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''
/** A fleet of two clusters: Linkerd 2.20 behind Traefik, 2.12 behind an Envoy, and an Envoy at the edge of one. */
const SEED = 39
const WINDOW_SECONDS = 20
/** The newest scrapes need a moment to be in. */
const LAG_SECONDS = 3
/** Counters grow faster than in the truth: else a few seconds would hold too few requests to tell 5 %. */
const SPEED = 200
const closing: (() => Promise<unknown>)[] = []

afterAll(() => Promise.all(closing.map((close) => close())))

// On CI a missing Prometheus fails the run: skipped tests count as failures there.
test.skipIf(binary === '')(
  'scraped by a real Prometheus, every rate is right to 5 %',
  { timeout: 300_000 },
  async () => {
    const world = drawWorld(SEED)
    const { truth } = world
    const clusters = await Promise.all(truth.clusters.map((cluster) => scraping(truth, cluster)))
    await Promise.all(clusters.map(({ url }) => untilScraped(url)))
    const read = await Promise.all(clusters.map(({ name, url }) => readCluster(truth, name, url)))
    const found = noFindings()
    prove(world, found, {
      observations: read.map(({ observation }) => observation),
      inventories: read.map(({ inventory }) => inventory),
      speed: SPEED,
      tolerance: 0.05,
    })
    expect(found.wrong).toEqual([])
    expect(found.seams.determined).toBeGreaterThan(3)
    expect(found.ratesCompared).toBeGreaterThan(5)
  },
)

/** A Prometheus that scrapes every page of the cluster each second, under growing counters. */
async function scraping(truth: Truth, cluster: TrueCluster): Promise<{ name: string; url: string }> {
  const pages = pagesOf(truth, cluster, 'few')
  const startMs = Date.now()
  const server: Server = createServer((request, response) => {
    const page = pages[Number(request.url?.slice(1))]
    // Samples carry their time: on a busy machine Prometheus' own would be off by more than is tested here.
    const nowMs = Date.now()
    const step = (((nowMs - startMs) / 1_000) * SPEED) / STEP_SECONDS
    response.setHeader('content-type', 'text/plain; version=0.0.4')
    response.end(page === undefined ? '' : pageText(page, step, nowMs))
  })
  const port = await listening(server)
  const jobs = pages.map(({ target }, index) => {
    const { job, ...labels } = target
    return `  - job_name: p${index}
    metrics_path: /${index}
    static_configs: [{ targets: ["127.0.0.1:${port}"], labels: ${JSON.stringify({ ...labels, job })} }]`
  })
  const config = `global: { scrape_interval: 1s, scrape_timeout: 1s }\nscrape_configs:\n${jobs.join('\n')}\n`
  const prometheus = await startPrometheus(binary, config)
  closing.push(prometheus.close, async () => server.close())
  return { name: cluster.name, url: prometheus.url }
}

/** Waits for a window at whose two ends no scrape failed: Prometheus would extrapolate over what is missing there. */
async function untilScraped(url: string): Promise<number> {
  for (;;) {
    const atSeconds = Date.now() / 1_000 - LAG_SECONDS
    const scraped = await Promise.all(
      [atSeconds, atSeconds - WINDOW_SECONDS + 3].map((end) => askDirectly(url, 'sum_over_time(up[3s])', end)),
    )
    if (scraped.every((ups) => ups.length > 0 && ups.every(({ value }) => value >= 3))) return atSeconds
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function readCluster(truth: Truth, name: string, url: string) {
  const atSeconds = await untilScraped(url)
  const client = clientOf(name, [url])
  closing.push(client.close)
  const signal = AbortSignal.timeout(60_000)
  const ask = async (questions: readonly Question[]) => {
    const { answers, failures } = await collectInstant(client, questions, atSeconds, signal)
    expect(failures).toEqual([])
    return answers
  }
  const peers = () => truth.clusters.flatMap((other) => (other.name === name ? [] : [other.name]))
  const known = dialectsFor({ named: 'auto', peers, overrides: {} })
  const range = { fromSeconds: atSeconds - 60, toSeconds: atSeconds }
  const present = new Set((await client.labelValues('__name__', [], range, signal)).data)
  const spoken = known.filter(({ detectedBy }) => detectedBy.some((metric) => present.has(metric)))
  const read: Observation[] = []
  for (const dialect of spoken) read.push(readAtOnce(dialect, name, 1, await ask(dialect.questions(WINDOW_SECONDS))))
  const metrics = new Set(INVENTORY_METRICS.filter((metric) => present.has(metric)))
  const inventory = readInventory(name, await ask(inventoryQuestions(metrics, WINDOW_SECONDS)))
  return { observation: mergeObservations(name, 1, read), inventory }
}
