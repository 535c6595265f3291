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
  if (query.includes('not_kept') && params.get('saved')) {
    const error = `this was too large to be kept with the evidence ${params.get('saved')}; ask the clusters for this window instead`
    return { status: 404, body: { status: 'error', errorType: 'not_found', error } }
  }
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
  if (query.includes('native_seconds')) {
    const quantile = Number(/^histogram_quantile\(([\d.]+)/.exec(query)?.[1] ?? Number.NaN)
    const result = rows.slice(0, 4).map(({ namespace, name }, index) => {
      const { metric, ...samples } = series({ namespace, deployment: name }, (part) =>
        part < 0.5 || cluster === 'east' ? 0.02 * (index + 1) * (1 + quantile) : 0.4 * (1 + quantile),
      )
      return Number.isNaN(quantile)
        ? { metric, ...natives(at, instant, index + (cluster === 'east' ? 0 : 2)) }
        : { metric, ...samples }
    })
    return data({ resultType: instant ? 'vector' : 'matrix', result })
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

/** Native histograms: calm first, then a part of the requests is slow. */
function natives(at: readonly number[], instant: boolean, coarser: number): object {
  const samples = at.map((second, index) => {
    const slow = index >= at.length / 2 ? 3 : 0
    const buckets = Array.from({ length: 9 }, (_, place) => {
      const [low, high] = [2 ** (place - 7), 2 ** (place - 6)]
      const count = 40 / (1 + (place - 2 - coarser / 2) ** 2) + (place > 5 ? slow : 0)
      return [0, String(low), String(high), String(count)] as const
    })
    const count = buckets.reduce((sum, bucket) => sum + Number(bucket[3]), 0)
    const sum = buckets.reduce((all, [, low, , inside]) => all + 1.4 * Number(low) * Number(inside), 0)
    return [second, { count: String(count), sum: String(sum), buckets }]
  })
  return instant ? { histogram: samples.at(-1) } : { histograms: samples }
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
    `joined over ${params.get('c')?.replace(',', ', ')}: buckets were added up before the quantile was taken, no percentile was averaged`,
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
