import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import type { Engines } from '../engines/find-engines.ts'
import { remoteWrite, type TimeSeries } from '../engines/remote-write.ts'
import { listening } from '../support/fake-prometheus.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'
import { type RealPrometheus, startPrometheus } from '../support/start-prometheus.ts'

/** Cluster `old` with Prometheus 2, `new` with Prometheus 3, and Goldseam over both. */
export interface RealPair {
  readonly goldseam: StartedGoldseam
  readonly urls: ReadonlyMap<string, string>
  /** The last instant of what was written, unix seconds. */
  readonly atSeconds: number
  /** Of Prometheus 3. */
  readonly promtool: string
  close(): Promise<void>
}

export const STEP_SECONDS = 15
const STEPS = 40

/** Both scrape the page, each in its own words for one metric, and `new` makes native histograms of its buckets. */
const pageOf = (words: string) => `# HELP page_workers ${words}
# TYPE page_workers gauge
page_workers 3
# HELP page_seconds How long pages took.
# TYPE page_seconds histogram
page_seconds_bucket{le="0.1"} 5
page_seconds_bucket{le="1"} 7
page_seconds_bucket{le="+Inf"} 9
page_seconds_sum 12.5
page_seconds_count 9
`

export async function startRealPair(engines: Engines & { prometheus2: string }): Promise<RealPair> {
  const page = createServer((request, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4')
    response.end(pageOf(request.url === '/new' ? 'Workers that serve pages.' : 'Threads that serve pages.'))
  })
  const target = `127.0.0.1:${await listening(page)}`
  const scrape = (more: string) => `
global: { scrape_interval: 2s, scrape_timeout: 2s, external_labels: { cluster: not-told } }
scrape_configs:
  - { job_name: page, ${more} static_configs: [{ targets: ['${target}'] }] }
`
  const flags = ['--enable-feature=exemplar-storage']
  const [old, young] = await Promise.all([
    startPrometheus(engines.prometheus2, scrape(''), '', flags),
    startPrometheus(
      engines.prometheus3,
      scrape('metrics_path: /new, convert_classic_histograms_to_nhcb: true,'),
      '',
      flags,
    ),
  ])
  const atSeconds = Math.floor(Date.now() / 1_000 / STEP_SECONDS) * STEP_SECONDS
  await Promise.all([
    remoteWrite(old.url, seriesOf(1, atSeconds)),
    remoteWrite(young.url, seriesOf(2.5, atSeconds)),
    scraped(old, 'page_seconds_count'),
    scraped(young, 'page_seconds'),
  ])
  const goldseam = await startGoldseam(`log: { level: silent }
clusters:
  - { name: old, endpoints: [{ url: "${old.url}" }] }
  - { name: new, endpoints: [{ url: "${young.url}" }] }
`)
  return {
    goldseam,
    urls: new Map([
      ['old', old.url],
      ['new', young.url],
    ]),
    atSeconds,
    promtool: join(dirname(engines.prometheus3), 'promtool'),
    async close() {
      await goldseam.close()
      await Promise.all([old.close(), young.close()])
      page.close()
    },
  }
}

function seriesOf(factor: number, endSeconds: number): TimeSeries[] {
  const of = (labels: Record<string, string>, value: (step: number) => number): TimeSeries => ({
    labels,
    samples: Array.from({ length: STEPS }, (_, step) => ({
      atMs: (endSeconds - (STEPS - 1 - step) * STEP_SECONDS) * 1_000,
      value: value(step),
    })),
  })
  const pods = ['a', 'b', 'c'].flatMap((pod, index) => [
    of({ __name__: 'http_requests_total', job: 'web', pod }, (step) => step * 17 * factor * (index + 1)),
    of({ __name__: 'queue', job: 'web', pod }, (step) => Math.sin(step * factor + index) * 1e-9),
  ])
  return [
    ...pods,
    of({ __name__: 'odd', job: 'web', kind: 'nan' }, () => Number.NaN),
    of({ __name__: 'odd', job: 'web', kind: 'infinite' }, () => Number.NEGATIVE_INFINITY),
    // It has a label of that name already, as some exporters give it.
    of({ __name__: 'labelled', cluster: 'their-own', job: 'web' }, () => factor),
    of({ __name__: 'labelled', cluster: 'another', job: 'web' }, () => factor * 2),
    of({ __name__: 'offset', job: 'web' }, () => factor),
    of({ __name__: 'label_info', job: 'web', team: 'blue' }, () => 1),
    // Only one of them has a label that really is called so.
    ...(factor === 1 ? [] : [of({ __name__: 'called', exported_cluster: 'so', job: 'web' }, () => 1)]),
    ...(factor === 1 ? [of({ __name__: 'only_old', job: 'web' }, () => 1)] : []),
  ]
}

async function scraped({ url }: RealPrometheus, metric: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/api/v1/query?query=${metric}`)
    const { data } = (await answer.json()) as { data: { result: unknown[] } }
    if (data.result.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
