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
    const told = await api
      .query(aggregate('count', [clusterLabel], targets), atSeconds, signal, 'replicas')
      .catch(() => null)
    const clusters = [...(told?.data ?? [])].flatMap((sample) =>
      sample.value > 1 ? (allLabels(sample)[clusterLabel] ?? []) : [],
    )
    if (clusters.length === 0) return []
    const detail = `${url} passes over replicaLabels and counts each ${label} of ${clusters.sort().join(', ')}; let it drop that label when it takes samples in, and keep one of each (VictoriaMetrics: -dedup.minScrapeInterval)`
    return [{ what: 'replicas as one', why: 'counted more than once', detail }]
  })
  return (await Promise.all(each)).flat()
}
