import type { Observation } from '../../src/domain/observation.ts'
import { stitch } from '../../src/domain/stitch/stitch.ts'
import type { StitchConfig, Stitched, World } from '../../src/domain/stitch/types.ts'
import { buildWorld } from '../../src/domain/stitch/world.ts'
import { LOAD_SECONDS, parseExposition } from '../dialects/exposition.ts'
import { SeriesStore } from './promql-subset.ts'
import { observationsOf } from './world.ts'

const AT_SECONDS = 1_700_000_000
const AGES_SECONDS = [50, 20, 0]

/**
 * Joins clusters of which nothing is given but their pages, in the text format; `# scrape:` lines name the target of
 * what follows. Counters show what ten minutes under steady load came to.
 */
export function joinedPages(pages: Readonly<Record<string, string>>, config: Partial<StitchConfig> = {}): Stitched {
  return stitch(worldOfPages(pages, config).world)
}

/** What is read of each cluster, and what all of it comes to. */
export function worldOfPages(
  pages: Readonly<Record<string, string>>,
  config: Partial<StitchConfig> = {},
): { observations: readonly Observation[]; world: World } {
  const stores = new Map(Object.entries(pages).map(([cluster, text]) => [cluster, storeOf(text)]))
  const observations = observationsOf({ stores, atSeconds: AT_SECONDS })
  const world = buildWorld(
    observations.map((now) => ({ now, before: null })),
    { ingresses: [], routes: [], ...config },
  )
  return { observations, world }
}

function storeOf(text: string): SeriesStore {
  const store = new SeriesStore()
  for (const { name, labels, value, type } of parseExposition(text)) {
    store.add(name, {
      labels,
      atSeconds: AGES_SECONDS.map((age) => AT_SECONDS - age),
      values: AGES_SECONDS.map((age) => (type === 'gauge' ? value : value * (1 - age / LOAD_SECONDS))),
    })
  }
  return store
}

/** One end of a call in Istio's words: `cluster/namespace/name`; null for an end that nobody knows. */
export type End = string | null

/** Labels of Istio's standard metrics for one call, as one reporter tells it. */
export function istioLabels(
  reporter: 'source' | 'destination' | 'waypoint',
  from: End,
  to: End,
  more: Readonly<Record<string, string>> = {},
): string {
  const place = (end: End) => (end ?? 'unknown/unknown/unknown').split('/')
  const [fromCluster, fromNamespace, source] = place(from)
  const [toCluster, toNamespace, target] = place(to)
  const labels = {
    reporter,
    source_workload: source,
    source_workload_namespace: fromNamespace,
    source_cluster: fromCluster,
    destination_workload: target,
    destination_workload_namespace: toNamespace,
    destination_cluster: toCluster,
    destination_service: to === null ? 'unknown' : `${target}.${toNamespace}.svc.cluster.local`,
    destination_service_name: target,
    destination_service_namespace: toNamespace,
    request_protocol: 'http',
    response_code: '200',
    response_flags: '-',
    ...more,
  }
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')
}

/** A page with these series: `istio_requests_total{labels} value` each. */
export function page(target: string, ...series: readonly (readonly [string, string, number])[]): string {
  return [`# scrape: ${target}`, ...series.map(([metric, labels, value]) => `${metric}{${labels}} ${value}`), ''].join(
    '\n',
  )
}
