import type { PromSeries } from '../../api/prometheus.ts'
import { TOGETHER } from './together.ts'

/** A series with the cluster that it is of. */
export interface ExploreSeries extends PromSeries {
  readonly key: string
  readonly cluster: string
  readonly last: number | null
  readonly most: number
}

export function exploreSeries(cluster: string, series: readonly PromSeries[]): ExploreSeries[] {
  // What could not be joined is one cluster's own.
  const clusterOf = ({ labels }: PromSeries) => (cluster === TOGETHER ? (labels.cluster ?? TOGETHER) : cluster)
  return series.map((one) => ({
    ...one,
    cluster: clusterOf(one),
    key: `${clusterOf(one)} ${labelText(one.labels)}`,
    last: one.values.at(-1) ?? null,
    most: one.values.reduce((high, value) => (value > high ? value : high), Number.NEGATIVE_INFINITY),
  }))
}

/** The labels that tell the series apart: where all have the same value, nothing is said. */
export function tellingLabels(series: readonly Pick<PromSeries, 'labels'>[]): string[] {
  const values = new Map<string, Set<string>>()
  for (const { labels } of series) {
    for (const name of Object.keys(labels)) values.set(name, values.get(name) ?? new Set())
  }
  for (const [name, seen] of values) for (const { labels } of series) seen.add(labels[name] ?? '')
  const names = [...values.keys()].filter((name) => name !== 'cluster')
  const telling = names.filter((name) => (values.get(name)?.size ?? 0) > 1)
  return (series.length === 1 ? names : telling).sort(byUse)
}

const FIRST = ['__name__', 'namespace', 'deployment', 'pod', 'le']

function byUse(a: string, b: string): number {
  const rank = (name: string) => (FIRST.indexOf(name) + FIRST.length + 1) % (FIRST.length + 1)
  return rank(a) - rank(b) || a.localeCompare(b)
}

export function labelText(labels: Readonly<Record<string, string>>): string {
  const { __name__ = '', ...rest } = labels
  const inner = Object.entries(rest)
    .filter(([name]) => name !== 'cluster')
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(', ')
  return `${__name__}${inner === '' && __name__ !== '' ? '' : `{${inner}}`}`
}

const KINDS = ['deployment', 'statefulset', 'daemonset', 'replicationcontroller', 'k8s_job']
const ISTIO = [
  ['destination_workload_namespace', 'destination_workload'],
  ['source_workload_namespace', 'source_workload'],
] as const

/** The workload that a row's labels name, as an id; null where they name none. */
export function workloadOf({ cluster, labels }: Pick<ExploreSeries, 'cluster' | 'labels'>): string | null {
  if (cluster === TOGETHER) return null
  const { namespace } = labels
  const kind = KINDS.find((name) => labels[name])
  if (namespace && kind) return `${cluster}/${namespace}/${kind === 'deployment' ? '' : `${kind}:`}${labels[kind]}`
  const istio = ISTIO.find(([space, name]) => labels[space] && labels[name])
  return istio ? `${cluster}/${labels[istio[0]]}/${labels[istio[1]]}` : null
}

/** The workload of the same namespace and name in the next cluster that has one among the ids; null: in none. */
export function twinOf(id: string, ids: ReadonlySet<string>): string | null {
  const [cluster = '', ...place] = id.split('/')
  const others = [...ids].filter((other) => {
    const [there = '', ...where] = other.split('/')
    return there !== cluster && where.join('/') === place.join('/')
  })
  return others.sort()[0] ?? null
}

/** What is over all clusters stands above what each has for itself. */
export function largestFirst(a: ExploreSeries, b: ExploreSeries): number {
  const over = Number(b.cluster === TOGETHER) - Number(a.cluster === TOGETHER)
  return over || ranked(b) - ranked(a) || 0
}

/** What is no number comes last: compared as such it would have no place at all. */
function ranked({ last }: ExploreSeries): number {
  if (last === null || Number.isNaN(last)) return -Number.MAX_VALUE
  return Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE / 2, last))
}
