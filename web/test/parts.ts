import type {
  Compare,
  CompareCell,
  CompareSideAnswer,
  LatencyHeatmap,
  Pods,
  UsedQueries,
  Workload,
  WorkloadEvents,
} from '@goldseam/server/contract'
import type { Scene } from './scenes.ts'

const BOUNDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]
const STEPS = 60
const STEP_SECONDS = 30

function headOf({ fleet }: Scene) {
  const { snapshot, clusters, gaps, verdict } = fleet
  return { snapshot, clusters, gaps, verdict }
}

const instants = (scene: Scene, steps = STEPS, every = STEP_SECONDS) => {
  const to = Date.parse(scene.fleet.snapshot.at) / 1000
  return Array.from({ length: steps }, (_, index) => to - (steps - 1 - index) * every)
}

/** The parts of a workload's page, in a scene: calm until two fifths of the window, then as slow as its row says. */
export function partOf(scene: Scene, workload: Workload, part: string): unknown {
  const head = { ...headOf(scene), id: workload.id }
  switch (part) {
    case 'heatmap':
      return heatmapOf(scene, workload)
    case 'pods':
      return podsOf(scene, workload)
    case 'intervals':
      return { ...head, intervalSeconds: 10, resolutionSeconds: 10, intervals: intervalsOf(scene, workload) }
    case 'events':
      return {
        ...head,
        events: [
          { at: '2026-11-21T03:12:10Z', kind: 'onset', text: 'left its usual range' },
          { at: '2026-11-21T03:10:00Z', kind: 'podStarted', text: `${workload.name}-7c9f4d-k2x9p began to report` },
        ],
        missing: ['restarts and replicas: no kube-state-metrics for it here'],
        maxOverMedian: 1.1,
      } satisfies WorkloadEvents
    case 'queries':
      return {
        ...head,
        queries: [
          {
            name: 'inbound',
            dialect: 'linkerd',
            cluster: workload.cluster,
            promql: `sum by (namespace,deployment,classification) (rate(response_total{direction="inbound",deployment=~"${workload.name}"}[20s]))`,
            series: 2,
            seconds: 0.012,
            failure: null,
          },
        ],
      } satisfies UsedQueries
    default:
      return null
  }
}

function heatmapOf(scene: Scene, { id, now, usual }: Workload): LatencyHeatmap {
  const rate = now.requestsPerSecond ?? 0
  const at = instants(scene)
  return {
    ...headOf(scene),
    id,
    stepSeconds: STEP_SECONDS,
    at,
    boundsSeconds: [...BOUNDS, null],
    requestsPerSecond: at.map((_, step) => {
      const middle = (step < STEPS * 0.4 ? usual : now).latencySeconds.p50 ?? 0.02
      const cumulative = [...BOUNDS, Number.POSITIVE_INFINITY].map((bound) => rate / (1 + (middle / bound) ** 3))
      return cumulative.map((value, row) => value - (cumulative[row - 1] ?? 0))
    }),
  }
}

function podsOf(scene: Scene, { id, name, now, truths, bounds }: Workload): Pods {
  const at = instants(scene)
  const parts = [0.3, 0.3, 0.4]
  return {
    ...headOf(scene),
    id,
    at,
    maxOverMedian: 1.33,
    rankChangesPerMinute: 0.4,
    reason: null,
    pods: parts.map((part, index) => ({
      name: `${name}-${index === 2 ? '7c9f4d' : '5d8b7a'}-k${index}x9p`,
      version: index === 2 ? '7c9f4d' : '5d8b7a',
      now: { ...now, requestsPerSecond: (now.requestsPerSecond ?? 0) * part },
      truths,
      bounds,
      trend: at.map((_, step) => (now.requestsPerSecond ?? 0) * part * (1 + 0.05 * Math.sin(step + index))),
    })),
  }
}

function intervalsOf(scene: Scene, { now, usual }: Workload) {
  const { p50, p95, p99, p999 } = now.latencySeconds
  return instants(scene, 20, 10)
    .map((second, index) => {
      const stall = index === 13
      const was = usual.latencySeconds
      return {
        at: new Date(second * 1000).toISOString(),
        good: stall ? 38 : 410 + index,
        bad: 0,
        successRatio: 1,
        minSeconds: 0.01,
        maxSeconds: stall ? 5 : 0.2,
        p50: stall ? p50 : was.p50,
        p95: stall ? p95 : was.p95,
        p99: stall ? p99 : was.p99,
        p999: stall ? p999 : was.p999,
        change: stall ? '+++' : '',
        changeRatio: stall ? 24 : 1,
      }
    })
    .reverse()
}

function cell(workload: Workload, usual: boolean): CompareCell {
  const golden = usual ? workload.usual : workload.now
  const { p99 } = golden.latencySeconds
  const goal = { measure: 'p99', goal: 0.5, text: 'as the config sets it' } as const
  return {
    id: workload.id,
    golden,
    truths: workload.truths,
    bounds: workload.bounds,
    goals:
      workload.namespace === 'stock' || workload.name === 'storefront' ? [{ ...goal, verdict: verdictOf(p99) }] : [],
  }
}

function verdictOf(p99: number | null): 'met' | 'missed' | 'unknown' {
  return p99 === null ? 'unknown' : p99 <= 0.5 ? 'met' : 'missed'
}

/** One of the sides of the same comparison. */
export function compareSideOf(scene: Scene, params: URLSearchParams): CompareSideAnswer {
  const of = params.get('side') === 'b' ? 'b' : 'a'
  const alone = new URLSearchParams(params)
  if (of === 'a') alone.delete('b')
  else {
    alone.set('a', params.get('b') ?? params.get('a') ?? '*')
    if (params.has('b')) alone.delete('b')
  }
  const whole = compareOf(scene, alone)
  const members = whole.rows.flatMap(({ a }) => a ?? [])
  return { ...headOf(scene), side: whole.a, all: whole.all.a, members }
}

/** East against west, or the two places that are asked for. */
export function compareOf(scene: Scene, params: URLSearchParams): Compare {
  const sideText = (name: 'a' | 'b') => params.get(name) ?? '*'
  const workloadsOf = (text: string) => {
    const place = text.split('@')[0] ?? ''
    return scene.fleet.workloads.filter(({ id }) => place === '*' || id === place || id.startsWith(`${place}/`))
  }
  const [a, b] = [workloadsOf(sideText('a')), workloadsOf(sideText('b'))]
  const earlier = !params.has('b')
  const rows = a.slice(0, 12).flatMap((workload, index): Compare['rows'] => {
    const other = earlier ? workload : b[index]
    if (!other) return []
    const [left, right] = [cell(workload, false), cell(other, earlier)]
    const [p99A, p99B] = [left.golden.latencySeconds.p99, right.golden.latencySeconds.p99]
    const ratio = p99A && p99B ? p99B / p99A : null
    const verdict = ratio === null ? null : ratio > 1.1 ? 'worse' : ratio < 0.9 ? 'better' : 'same'
    return [
      {
        key: `${workload.namespace}/${workload.name}`,
        a: left,
        b: right,
        differences: { requestsPerSecond: 'same', successRatio: 'same', p50: verdict, p99: verdict },
        verdict,
        ratio,
      },
    ]
  })
  const [first] = rows
  if (!first) throw new Error('the scene has workloads on both sides')
  const side = (text: string, workload: Workload | undefined, usual: boolean): Compare['a'] => {
    const { series } = scene.detail
    const [cluster = '*', namespace = null, name = null] = (text.split('@')[0] ?? '').split('/')
    const factor = usual ? 0.2 : 1
    // Instants alone: of offsets nobody asks the fixtures.
    const [, from, to] = /@(\d[^~]*)~(\d[^@]*)/.exec(text) ?? []
    return {
      text,
      clusters: cluster === '*' ? scene.fleet.clusters.map((one) => one.name) : [cluster],
      namespace,
      name: name === null ? null : (workload?.name ?? name),
      version: null,
      from: from ?? series.from,
      to: to ?? series.to,
      onset: usual ? null : '2026-11-21T03:12:10Z',
      missing: [],
      series,
      percentiles: { ...series, p99: series.p99.map((value) => value && value * factor) },
    }
  }
  return {
    ...headOf(scene),
    a: side(sideText('a'), a[0], false),
    b: side(params.get('b') ?? sideText('a'), b[0], earlier),
    all: { ...first, key: 'all' },
    rows,
    onlyA: a.slice(12).map(({ id }) => id),
    onlyB: [],
    notes: [],
  }
}
