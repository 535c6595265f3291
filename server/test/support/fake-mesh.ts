import { type Answering, type Asked, json } from './fake-prometheus.ts'

type Labels = Record<string, string>

/** What a Prometheus of a small mesh answers, per fragment of the question: always the same rates, now and before. */
export interface FakeMesh {
  readonly [fragment: string]: readonly { labels: Labels; value: number }[]
}

/** One healthy workload: `rate` requests per second of 20 ms each. */
export function oneWorkload(name: string, rate = 10): FakeMesh {
  const labels = { namespace: 'shop', deployment: name }
  const buckets = [1, 10, 50, 100].map((le) => ({ labels: { ...labels, le: String(le) }, value: le < 20 ? 0 : rate }))
  return {
    'rate(response_total{direction="inbound"': [{ labels: { ...labels, classification: 'success' }, value: rate }],
    'rate(response_latency_ms_sum{direction="inbound"': [
      { labels: { ...labels, part: 'sum' }, value: rate * 20 },
      { labels: { ...labels, part: 'count' }, value: rate },
    ],
    'rate(response_latency_ms_bucket{direction="inbound"': [
      ...buckets,
      { labels: { ...labels, le: '+Inf' }, value: rate },
    ],
    'count by (pod': [{ labels, value: 1 }],
  }
}

/** Answers as a Prometheus whose mesh has stood like this for hours. */
export function answering(mesh: FakeMesh): Answering {
  return (asked, response) => json(response, 200, { status: 'success', data: dataFor(mesh, asked) })
}

function dataFor(mesh: FakeMesh, { path, fields }: Asked): unknown {
  if (path.endsWith('/label/__name__/values')) return ['response_total']
  if (path.endsWith('/status/config')) return { yaml: 'global: { scrape_interval: 2s }' }
  if (path.endsWith('/status/buildinfo')) return { version: '2.42.0' }
  if (path.endsWith('/alerts')) return { alerts: [] }
  const query = fields.get('query') ?? ''
  const series = Object.entries(mesh).flatMap(([fragment, list]) => (query.includes(fragment) ? list : []))
  if (path.endsWith('/query')) {
    const at = Number(fields.get('time'))
    const result = series.map(({ labels, value }) => ({ metric: labels, value: [at, `${value}`] }))
    return { resultType: 'vector', result }
  }
  const [start = 0, end = 0, step = 1] = ['start', 'end', 'step'].map((name) => Number(fields.get(name)))
  const times = Array.from({ length: Math.round((end - start) / step) + 1 }, (_, index) => start + index * step)
  const result = series.map(({ labels, value }) => ({ metric: labels, values: times.map((at) => [at, `${value}`]) }))
  return { resultType: 'matrix', result }
}
