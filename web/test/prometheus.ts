import type { Scene } from './scenes.ts'

const BOUNDS = [5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, Number.POSITIVE_INFINITY]

/** The fixture server as a Prometheus: the scene's workloads, a calm half and a half in which some are slow. */
export function prometheusAnswer(
  scene: Scene,
  pathname: string,
  params: URLSearchParams,
): { status: number; body: unknown } {
  const path = pathname.replace('/prometheus/api/v1', '')
  const data = (found: unknown, more: object = {}) => ({
    status: 200,
    body: { status: 'success', data: found, ...more },
  })
  if (path === '/label/__name__/values') return data(['response_latency_ms_bucket', 'response_total', 'up'])
  if (path === '/labels') return data(['__name__', 'cluster', 'deployment', 'direction', 'namespace', 'le'])
  if (path.startsWith('/label/')) return data(['inbound', 'outbound'])
  if (path === '/metadata') return data({ response_total: [{ type: 'counter', help: 'Responses', unit: '' }] })
  if (path === '/series') return data([])
  const query = params.get('query') ?? ''
  const cluster = params.get('c') ?? ''
  if (query.includes('nobody_counts_this')) return data({ resultType: 'matrix', result: [] })
  if (query.includes('refuse_this') && cluster === 'west')
    return {
      status: 503,
      body: { status: 'error', errorType: 'unavailable', error: 'cluster west: timeout after 5 s' },
    }
  if (cluster.includes(',')) return overAll(scene, pathname, params)
  const start = Number(params.get('start') ?? params.get('time'))
  const end = Number(params.get('end') ?? params.get('time'))
  const step = Number(params.get('step') ?? 1)
  const at = Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, index) => start + index * step)
  const rows = scene.fleet.workloads.filter(
    (workload) => workload.cluster === cluster && workload.now.requestsPerSecond,
  )
  const instant = path === '/query'
  const series = (labels: Record<string, string>, value: (part: number) => number) => {
    const samples = at.map((second, index) => [second, String(value(index / Math.max(1, at.length - 1)))])
    return { metric: { ...labels, cluster }, ...(instant ? { value: samples.at(-1) } : { values: samples }) }
  }
  const whole = /^histogram_quantile\(.*sum by \(le\)/.test(query)
  const result = whole
    ? [series({}, (part) => (part < 0.5 || cluster === 'east' ? 420 : 2_130) * (1 + 0.06 * Math.sin(part * 40)))]
    : /^sum by \(le\)/.test(query)
      ? BOUNDS.map((bound) =>
          series({ le: Number.isFinite(bound) ? String(bound) : '+Inf' }, (part) => {
            const middle = part < 0.5 || cluster === 'east' ? 40 : 900
            return 41 / (1 + (middle / Math.min(bound, 1e7)) ** 2)
          }),
        )
      : rows.map(({ namespace, name, now, usual }) =>
          series({ namespace, deployment: name }, (part) => {
            const [calm, slow] = [usual.latencySeconds.p99 ?? 0.05, now.latencySeconds.p99 ?? 0.05]
            return (part < 0.5 ? calm : slow) * 1000 * (1 + 0.06 * Math.sin(part * 40 + name.length))
          }),
        )
  const warnings = cluster === 'west' ? { warnings: ['partial response: store-3 is unavailable'] } : {}
  return data({ resultType: instant ? 'vector' : 'matrix', result }, warnings)
}

/** One answer over the clusters that are named: here the slowest of each, which no mean of them would be. */
function overAll(scene: Scene, pathname: string, params: URLSearchParams): { status: number; body: unknown } {
  const found = (params.get('c') ?? '').split(',').flatMap((cluster) => {
    const alone = new URLSearchParams(params)
    alone.set('c', cluster)
    const { body } = prometheusAnswer(scene, pathname, alone) as { body: { data: { result: Row[] } } }
    return body.data.result
  })
  const byName = new Map(found.map((row) => [row.metric.deployment ?? '', row]))
  const resultType = pathname.endsWith('/query') ? 'vector' : 'matrix'
  const query = params.get('query') ?? ''
  if (params.get('join') === '1' && !query.startsWith('histogram_quantile')) return joined(query, resultType, found)
  const result = [...byName.values()].map(({ metric: { cluster: _, ...metric }, ...row }) => ({ metric, ...row }))
  const infos = [
    `histogram_quantile was taken once: the buckets of ${params.get('c')?.replace(',', ', ')} were added up by "le" before, no percentile was averaged`,
  ]
  return { status: 200, body: { status: 'success', data: { resultType, result }, infos } }
}

/** One answer made of each cluster's, as the server makes it of plain sums. */
function joined(query: string, resultType: string, found: readonly Row[]): { status: number; body: unknown } {
  if (!query.startsWith('sum')) {
    const infos = ['not joined: topk picks series in each cluster, and those of all would have to be picked anew']
    return { status: 200, body: { status: 'success', data: { resultType, result: found }, infos } }
  }
  const sums = new Map<string, Row>()
  for (const { metric, ...row } of found) {
    const { cluster: _, ...rest } = metric
    const key = JSON.stringify(rest)
    const before = sums.get(key)
    const add = ([at, text]: Sample, index: number): Sample => {
      const known = before?.values?.[index] ?? before?.value
      return [at, String(Number(text) + Number(known?.[1] ?? 0))]
    }
    const values = row.values?.map(add)
    const value = row.value && add(row.value, 0)
    sums.set(key, { metric: rest, ...(values ? { values } : {}), ...(value ? { value } : {}) })
  }
  const infos = ['joined over east, west: sums were added up']
  return { status: 200, body: { status: 'success', data: { resultType, result: [...sums.values()] }, infos } }
}

type Sample = readonly [number, string]

interface Row {
  readonly metric: Readonly<Record<string, string>>
  readonly value?: Sample
  readonly values?: readonly Sample[]
}
