import { aggregate, selector } from '../dialects/promql.ts'
import { allLabels } from '../domain/apart.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import type { Gap } from './snapshot.ts'

/** What is wrong with what an endpoint holds; the gap says where and since when. */
export type Oddity = Pick<Gap, 'what' | 'why' | 'detail'>

export interface Replicas {
  /** The endpoint's first URL, for people. */
  readonly url: string
  readonly api: PrometheusApi
  readonly clusterLabel: string
  readonly replicaLabels: readonly string[]
}

/**
 * Where the stores of a Thanos hold the same targets twice, apart by labels that nobody named to it: then it adds them up
 * as well. Asked of the scrape targets: of two halves of a cluster none is in both. What cannot be asked is not said.
 */
export async function replicasUnnamed(
  { url, api, clusterLabel }: Replicas,
  labels: readonly string[],
  atSeconds: number,
  signal: AbortSignal,
): Promise<readonly Oddity[]> {
  const each = labels.map(async (label) => {
    const up = selector('up', [
      { label: clusterLabel, op: '!=', value: '' },
      { label, op: '!=', value: '' },
    ])
    const targets = aggregate('count', [clusterLabel, 'job', 'namespace', 'pod', 'instance', label], up)
    const apart = aggregate('count', [clusterLabel, 'job', 'namespace', 'pod', 'instance'], targets)
    const clusters = await clustersWithSeveral(
      api,
      clusterLabel,
      aggregate('max', [clusterLabel], apart),
      atSeconds,
      signal,
    )
    if (clusters.length === 0) return []
    const detail = `${url} counts each ${label} of ${clusters.join(', ')}: the same targets are there with several; name it in replicaLabels, or to Thanos Query itself (--query.replica-label=${label})`
    return [{ what: 'replicas as one', why: 'counted more than once', detail }]
  })
  return (await Promise.all(each)).flat()
}

/** The clusters of which a query answers with more than one, sorted; none where it is not answered. */
async function clustersWithSeveral(
  api: PrometheusApi,
  clusterLabel: string,
  promql: string,
  atSeconds: number,
  signal: AbortSignal,
): Promise<string[]> {
  const told = await api.query(promql, atSeconds, signal, 'replicas').catch(() => null)
  const several = [...(told?.data ?? [])].filter(({ value }) => value > 1)
  return several.flatMap((sample) => allLabels(sample)[clusterLabel] ?? []).sort()
}

/**
 * Where an endpoint answers with replicas apart though it was told which labels tell them apart: it adds them up then,
 * so that rates come out too high without anything looking wrong. Only Thanos knows the parameter; asked of the scrape
 * targets, which are few. What cannot be asked is not said.
 */
export async function countedTwice(
  { url, api, clusterLabel, replicaLabels }: Replicas,
  atSeconds: number,
  signal: AbortSignal,
): Promise<readonly Oddity[]> {
  const each = replicaLabels.map(async (label) => {
    const targets = aggregate(
      'count',
      [clusterLabel, label],
      selector('up', [
        { label: clusterLabel, op: '!=', value: '' },
        { label, op: '!=', value: '' },
      ]),
    )
    const counts = aggregate('count', [clusterLabel], targets)
    const clusters = await clustersWithSeveral(api, clusterLabel, counts, atSeconds, signal)
    if (clusters.length === 0) return []
    const detail = `${url} passes over replicaLabels and counts each ${label} of ${clusters.join(', ')}; let it drop that label when it takes samples in, and keep one of each (VictoriaMetrics: -dedup.minScrapeInterval)`
    return [{ what: 'replicas as one', why: 'counted more than once', detail }]
  })
  return (await Promise.all(each)).flat()
}
