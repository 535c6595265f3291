import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClusterPrometheus, createPrometheus } from '../src/prometheus/create-prometheus.ts'
import { type RealPrometheus, startPrometheus } from './support/start-prometheus.ts'

/** `npm test` finds or fetches one and names it here. */
const binary = process.env.PROMETHEUS_BIN ?? ''
const never = new AbortController().signal
const nowSeconds = () => Date.now() / 1_000

const CONFIG = `
global: { scrape_interval: 1s }
scrape_configs:
  - job_name: nothing
    scrape_interval: 1m30s
  - job_name: quick
    scrape_interval: 2s
`

describe.skipIf(binary === '')('a real Prometheus behind a path prefix', () => {
  let prometheus: RealPrometheus
  let api: ClusterPrometheus
  beforeAll(async () => {
    prometheus = await startPrometheus(binary, CONFIG, '/prom')
    const endpoint = {
      url: prometheus.url,
      headers: {},
      authorization: async () => null,
      timeoutSeconds: 10,
      maxResponseBytes: 1_000_000,
      maxSeries: 100,
    }
    api = createPrometheus({ name: 'east', endpoints: [endpoint] }, { nowSeconds, observe: () => undefined })
  })
  afterAll(async () => {
    await api?.close()
    await prometheus?.close()
  })

  test('instant values, with infinities and NaN', async () => {
    const promql = 'label_replace(vector(1) / 0, "a", "b", "", "") or vector(0) / 0'
    const { data } = await api.query(promql, nowSeconds(), never)
    expect([...data]).toEqual([
      { labels: { a: 'b' }, apart: {}, value: Infinity },
      { labels: {}, apart: {}, value: Number.NaN },
    ])
    // Nobody asks for one: it would pass for a cluster without any workload.
    await expect(api.query('1.5e3', 0, never)).rejects.toMatchObject({ kind: 'malformed' })
  })

  test('a range, aligned as asked', async () => {
    const range = { fromSeconds: 1_000, toSeconds: 1_020, stepSeconds: 10 }
    const { data } = await api.queryRange('vector(time())', range, never)
    expect([...data]).toEqual([{ labels: {}, apart: {}, values: Float64Array.of(1_000, 1_010, 1_020) }])
  })

  test('label values of what is not there', async () => {
    const range = { fromSeconds: nowSeconds() - 60, toSeconds: nowSeconds() }
    expect(await api.labelValues('namespace', ['response_total'], range, never)).toMatchObject({
      data: [],
      warnings: [],
    })
  })

  test('the longest scrape interval and the version', async () => {
    expect(await api.scrapeIntervalSeconds(never)).toBe(90)
    expect(api.status()[0]?.version).toMatch(/^\d+\.\d+/)
  })

  test('a query it does not understand', async () => {
    await expect(api.query('sum(', 0, never)).rejects.toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('bad_data'),
    })
  })
})
