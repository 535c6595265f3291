import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Dialect, SeriesColumn } from '../../src/dialects/dialect.ts'
import { INVENTORY_METRICS, inventoryQuestions } from '../../src/dialects/inventory.ts'
import { anyAnswer } from '../../src/dialects/promql.ts'
import { readAtOnce } from '../../src/dialects/read-series.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { layoutProbe } from '../../src/dialects/with-series-counts.ts'
import { allLabels } from '../../src/domain/apart.ts'
import { withScrapeInterval } from '../../src/federation/with-scrape-interval.ts'
import type { PrometheusApi } from '../../src/prometheus/api.ts'
import type { ClusterPrometheus } from '../../src/prometheus/create-prometheus.ts'
import { parseExposition, underLoad } from '../dialects/exposition.ts'
import { pagesOf } from '../dialects/real-pages.ts'
import { type RealPrometheus, startPrometheus } from '../support/start-prometheus.ts'
import { readCluster } from '../worlds/loaded.ts'
import { noFindings, prove } from '../worlds/prove.ts'
import { drawWorld as drawFleet, timeSeriesOf } from '../worlds/world.ts'
import { compare } from './compare.ts'
import { callsOf, clientOf, inboundOf, merged, observe } from './ours.ts'
import { remoteWrite, type TimeSeries } from './remote-write.ts'
import { clusterOf, labelled, startVictoria, type Victoria, writeInto } from './start-victoria.ts'
import { askDirectly, goldenOf } from './theirs.ts'
import { drawWorld } from './world.ts'

const WINDOW_SECONDS = 60
const STEP_SECONDS = 10
/** As many intervals lie before the samples of one window and between them. */
const INTERVALS = WINDOW_SECONDS / STEP_SECONDS
const TOLERANCE = 1e-9
const CLUSTERS = ['east', 'west']
const FIXTURES = new URL('../../src/dialects/fixtures/', import.meta.url)
/** Of Linkerd's versions the first, the last and some between. */
const PAGES = pagesOf(['linkerd', 'istio', 'envoy', 'hubble', 'otel', 'inventory']).filter(
  (page) => !/^linkerd\/2\.(9|1[01356789])\.prom$/.test(page),
)
/** Between two pages, longer than any server looks back for a series; and the first of them behind all other data. */
const PAGES_APART_SECONDS = 600
const FLEET_SEEDS = [1, 2, 3]

const SIDES = [
  { side: 'inbound', flowsOf: inboundOf },
  { side: 'calls', flowsOf: callsOf },
] as const

/** What Goldseam reads of a VictoriaMetrics, held against its own word, and against a Prometheus with the same samples. */
export function describeVictoriaNumbers(binary: string, prometheusBinary: string): void {
  describe('numbers of a real VictoriaMetrics', () => {
    let victoria: Victoria
    let prometheus: RealPrometheus
    let client: ClusterPrometheus
    let other: ClusterPrometheus
    const start = Math.floor(Date.now() / 1_000 / STEP_SECONDS) * STEP_SECONDS - 300
    const timeline = { startSeconds: start, stepSeconds: STEP_SECONDS, steps: 20 }
    const written = CLUSTERS.flatMap((cluster, index) =>
      labelled(drawWorld({ graphSeed: 7, seed: index + 1, timeline, le: String }).series, cluster),
    )
    // Off the steps: no sample lies on the edge of a window.
    const instants = [start + 100.7, start + 150.7, start + 190.7]
    const atSeconds = start + 190.7
    const pageAt = (page: string) => start - (PAGES.indexOf(page) + 2) * PAGES_APART_SECONDS

    beforeAll(async () => {
      victoria = await startVictoria(binary)
      prometheus = await startPrometheus(
        prometheusBinary,
        'global: {}\nstorage: { tsdb: { out_of_order_time_window: 2d } }\n',
      )
      client = clientOf('victoria', [victoria.url])
      other = clientOf('prometheus', [prometheus.url])
      const pages = PAGES.flatMap((page) =>
        underLoad(parseExposition(readFileSync(new URL(page, FIXTURES), 'utf8')), pageAt(page)),
      )
      await remoteWrite(prometheus.url, [...written, ...pages])
      await writeInto(victoria.url, [...written, ...pages])
    })
    afterAll(async () => {
      await Promise.all([client?.close(), other?.close(), victoria?.close(), prometheus?.close()])
    })

    describe.each(SIDES)('$side', ({ side, flowsOf }) => {
      const observed = (cluster: string, at: number) =>
        observe(cluster, clusterOf(client, cluster), at, WINDOW_SECONDS).then(flowsOf)

      test.each(CLUSTERS)('%s, one of those it holds: as it computes them itself', async (cluster) => {
        const asked = { url: victoria.url, atSeconds, windowSeconds: WINDOW_SECONDS }
        const theirs = await goldenOf(asked, side, `cluster="${cluster}"`)
        const result = compare(merged([await observed(cluster, atSeconds)], WINDOW_SECONDS), theirs)
        expect(result.differences).toEqual([])
        expect(result.compared - result.unknown).toBeGreaterThan(150)
      })

      test.each(instants)('merged over its clusters, as it computes all of them together, at %d', async (at) => {
        const ours = await Promise.all(CLUSTERS.map((cluster) => observed(cluster, at)))
        const theirs = await goldenOf({ url: victoria.url, atSeconds: at, windowSeconds: WINDOW_SECONDS }, side)
        const result = compare(merged(ours, WINDOW_SECONDS), theirs)
        expect(result.differences).toEqual([])
        expect(result.compared - result.unknown).toBeGreaterThan(150)
        expect(result.ties).toBeLessThan(result.compared / 100)
      })
    })

    /**
     * It takes the mean over the intervals between the samples of the window and the one before them: n of them. A
     * Prometheus takes it over the last n - 1, and stretches it to the window. Both lie between the slowest and the
     * fastest of the n, and differ by the n-th part of how far the first is off the mean of the others.
     */
    test('a rate differs from Prometheus by no more than the spread of its scrapes over their number', async () => {
      const promql = `rate(response_total[${WINDOW_SECONDS}s])`
      const [ours, theirs] = await Promise.all(
        [victoria.url, prometheus.url].map(async (url) => {
          const answers = await askDirectly(url, promql, atSeconds)
          return new Map(answers.map(({ labels, value }) => [keyOf(labels), value]))
        }),
      )
      let [compared, different] = [0, 0]
      for (const { labels, samples } of written) {
        const scrapes = labels.__name__ === 'response_total' ? scrapesOf(samples, atSeconds) : null
        if (scrapes === null) continue
        const { __name__: _, ...key } = labels
        const [our, their] = [ours, theirs].map((all) => all?.get(keyOf(key)) ?? Number.NaN) as [number, number]
        const rates = scrapes.slice(1).map((value, index) => (value - (scrapes[index] ?? 0)) / STEP_SECONDS)
        const mean = rates.reduce((sum, rate) => sum + rate, 0) / INTERVALS
        const [slowest, fastest] = [Math.min(...rates), Math.max(...rates)]
        expect(Math.abs(our - mean), keyOf(key)).toBeLessThanOrEqual(TOLERANCE * fastest)
        const most = (fastest - slowest) / INTERVALS + TOLERANCE * fastest
        expect(Math.abs(our - their), keyOf(key)).toBeLessThanOrEqual(most)
        compared += 1
        if (Math.abs(our - their) > TOLERANCE * fastest) different += 1
      }
      expect(compared).toBeGreaterThan(150)
      expect(different).toBeGreaterThan(100)
    })

    describe('of counters that grow evenly, as a Prometheus answers', () => {
      const sameAnswers = async (promql: string, at: number) => {
        // Long enough for it to move the ends of the range, if it were not told otherwise.
        const range = { fromSeconds: at - 50, toSeconds: at, stepSeconds: 1 }
        const asked = [client, other].flatMap((api) => [valuesAt(api, promql, at), valuesOver(api, promql, range)])
        const [instant, past, instantOther, pastOther] = await Promise.all(asked)
        expectSame(instant, instantOther, promql)
        expectSame(past, pastOther, promql)
        return instant?.size ?? 0
      }

      test.each(dialects)('every question of $name', async (dialect) => {
        let found = 0
        for (const page of PAGES.filter((name) => name.startsWith(folderOf(dialect)))) {
          const at = pageAt(page)
          const questions = dialect.questions(WINDOW_SECONDS, CLUSTERS)
          const answers = await Promise.all(
            questions.map(async ({ name, promql }): Promise<[string, SeriesColumn[]]> => {
              found += await sameAnswers(promql, at)
              const { data } = await client.query(promql, at, AbortSignal.timeout(30_000))
              return [name, [...data].map(({ value, ...of }) => ({ ...of, values: Float64Array.of(value) }))]
            }),
          )
          const read = readAtOnce(dialect, 'east', 1, new Map(answers))
          const workloads = [...read.inbound.values()].map(({ workload }) => workload)
          const callers = [...read.outbound.values()].map(({ from }) => from)
          const [first] = workloads
          const further = [
            ...(workloads.length === 0 ? [] : (dialect.workloadQuestions?.(WINDOW_SECONDS, workloads) ?? [])),
            ...(first === undefined ? [] : (dialect.podQuestions?.(WINDOW_SECONDS, first) ?? [])),
            ...(callers.length === 0 ? [] : [dialect.edgeQuestion(WINDOW_SECONDS, callers)]),
          ].flatMap((question) => question?.promql ?? [])
          for (const promql of [...further, layoutProbe(dialect) ?? anyAnswer()]) found += await sameAnswers(promql, at)
        }
        expect(found).toBeGreaterThan(20)
      })

      test('what is asked beside the meshes', async () => {
        let found = 0
        for (const page of PAGES.filter((name) => name.startsWith('inventory/')))
          for (const { promql } of inventoryQuestions(new Set(INVENTORY_METRICS), WINDOW_SECONDS))
            found += await sameAnswers(promql, pageAt(page))
        expect(found).toBeGreaterThan(10)
      })
    })

    test('calls between its clusters are joined, as sure as the truth allows', async () => {
      const found = noFindings()
      for (const seed of FLEET_SEEDS) {
        // A day each: it remembers which series answer a selector on a day, and learns of new ones some seconds later.
        const world = drawFleet(seed, { atSeconds: start - 86_400 * (seed + 1) })
        const all = world.truth.clusters.map(({ name }) => ({ name, series: timeSeriesOf(world, name) }))
        await writeInto(
          victoria.url,
          all.flatMap(({ name, series }) => labelled(series, name)),
        )
        const read = await Promise.all(
          all.map(({ name, series }) => {
            const metrics = new Set(series.map(({ labels }) => labels.__name__ ?? ''))
            return readCluster(clusterOf(client, name), world, name, metrics, world.atSeconds)
          }),
        )
        const observations = read.map(({ observation }) => observation)
        prove(world, found, {
          observations,
          inventories: read.map(({ inventory }) => inventory),
          speed: 1,
          tolerance: 0.01,
        })
      }
      expect(found.wrong).toEqual([])
      expect(found.recall.found).toBe(found.recall.ends)
      expect(found.seams.determined).toBeGreaterThan(10)
      expect(found.ratesCompared).toBeGreaterThan(50)
    })

    test('where it scrapes nothing itself, the interval is counted from its samples', async () => {
      const at = start - 7_200
      const samples = Array.from({ length: 121 }, (_, index) => ({
        atMs: (at - 15 * index) * 1_000,
        value: 1,
      })).reverse()
      const targets = ['a', 'b'].map((instance) => ({ labels: { __name__: 'up', job: 'mesh', instance }, samples }))
      await writeInto(victoria.url, labelled(targets, 'paced'))
      const paced = withScrapeInterval(clusterOf(client, 'paced'), null, () => at)
      expect(await paced.scrapeIntervalSeconds(AbortSignal.timeout(30_000))).toBe(15)
    })
  })
}

/** Where its pages are, or the one that it has. */
function folderOf({ name }: Dialect): string {
  return name === 'istio_recorded' ? 'istio/recorded.prom' : `${name}/`
}

/** Values of the sample before the window and of all within it, where they grow and none is missing; else null. */
function scrapesOf(samples: TimeSeries['samples'], atSeconds: number): readonly number[] | null {
  const until = samples.filter(({ atMs }) => atMs <= atSeconds * 1_000).slice(-(INTERVALS + 1))
  const values = until.flatMap(({ value }) => (typeof value === 'number' ? value : []))
  const first = until[0]?.atMs ?? 0
  const complete = values.length === INTERVALS + 1 && first > (atSeconds - WINDOW_SECONDS - STEP_SECONDS) * 1_000
  return complete && values.every((value, index) => value >= (values[index - 1] ?? 0)) ? values : null
}

function keyOf(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).sort())
}

async function valuesAt(api: PrometheusApi, promql: string, atSeconds: number): Promise<Map<string, number>> {
  const { data } = await api.query(promql, atSeconds, AbortSignal.timeout(30_000))
  return new Map([...data].map((sample) => [keyOf(allLabels(sample)), sample.value]))
}

async function valuesOver(
  api: PrometheusApi,
  promql: string,
  range: { fromSeconds: number; toSeconds: number; stepSeconds: number },
): Promise<Map<string, number>> {
  const { data } = await api.queryRange(promql, range, AbortSignal.timeout(30_000))
  return new Map(
    [...data].flatMap((series) =>
      Array.from(series.values, (value, step): [string, number] => [
        `${keyOf(allLabels(series))} at ${range.fromSeconds + step * range.stepSeconds}`,
        value,
      ]).filter(([, value]) => !Number.isNaN(value)),
    ),
  )
}

function expectSame(ours: Map<string, number> | undefined, theirs: Map<string, number> | undefined, promql: string) {
  expect([...(ours?.keys() ?? [])].sort(), promql).toEqual([...(theirs?.keys() ?? [])].sort())
  for (const [key, value] of theirs ?? []) {
    const our = ours?.get(key) ?? Number.NaN
    if (our === value) continue
    expect(Math.abs(our - value), `${key} of ${promql}`).toBeLessThanOrEqual(TOLERANCE * Math.abs(value))
  }
}
