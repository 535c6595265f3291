import type { Question, SeriesColumn } from '../../src/dialects/dialect.ts'
import { inventoryQuestions, readInventory } from '../../src/dialects/inventory.ts'
import { readAtOnce } from '../../src/dialects/read-series.ts'
import { dialectsFor } from '../../src/dialects/registry.ts'
import { labelsApart } from '../../src/domain/apart.ts'
import type { Observation } from '../../src/domain/observation.ts'
import type { Inventory } from '../../src/domain/stitch/inventory.ts'
import { mergeObservations } from '../../src/federation/merge-observations.ts'
import type { TimeSeries } from '../engines/remote-write.ts'
import type { Labels, Page } from './counters.ts'
import { drawTruth } from './draw-truth.ts'
import { infrastructurePages } from './export-infrastructure.ts'
import { istioPages } from './export-istio.ts'
import { FEW_BOUNDS_MS, LINKERD_BOUNDS_MS, linkerdPages } from './export-linkerd.ts'
import { pageText, parsePage } from './exposition.ts'
import { SeriesStore } from './promql-subset.ts'
import { STEP_SECONDS, type TrueCluster, type Truth } from './truth.ts'

export const WINDOW_SECONDS = 60
/** Steps at which every page is looked at: all within one rate window. */
const STEPS = [0, 3, 5]

export interface World {
  readonly truth: Truth
  /** The instant to ask for, unix seconds; no sample lies on an edge of the window before it. */
  readonly atSeconds: number
  /** What each cluster's Prometheus holds. */
  readonly stores: ReadonlyMap<string, SeriesStore>
}

export interface WorldOptions {
  /** All 25 bounds of Linkerd's histograms, or the few that suffice where nobody looks at percentiles. */
  readonly bounds?: 'all' | 'few'
  readonly atSeconds?: number
}

/** A fleet drawn from a seed, as its proxies' pages tell it. */
export function drawWorld(seed: number, options: WorldOptions = {}): World {
  return worldOf(drawTruth(seed), options)
}

export function worldOf(truth: Truth, { bounds = 'few', atSeconds = 1_700_000_000 }: WorldOptions = {}): World {
  const stores = truth.clusters.map((cluster): [string, SeriesStore] => [
    cluster.name,
    scraped(pagesOf(truth, cluster, bounds), atSeconds),
  ])
  return { truth, atSeconds, stores: new Map(stores) }
}

/** Every page that the Prometheus of a cluster scrapes. */
export function pagesOf(truth: Truth, cluster: TrueCluster, bounds: 'all' | 'few'): Page[] {
  const chosen = bounds === 'all' ? LINKERD_BOUNDS_MS : FEW_BOUNDS_MS
  const mesh = cluster.istio ? istioPages(truth, cluster) : linkerdPages(truth, cluster, chosen)
  return [...mesh, ...infrastructurePages(truth, cluster)]
}

/** Looks at every page's text at every step and keeps what a scrape would. */
function scraped(pages: readonly Page[], atSeconds: number): SeriesStore {
  const store = new SeriesStore()
  const [first = 0, ...later] = STEPS
  const at = STEPS.map((step) => atSeconds - (STEPS.at(-1) ?? 0) * STEP_SECONDS + step * STEP_SECONDS - 0.7)
  for (const page of pages) {
    const looks = [first, ...later].map((step) => parsePage(pageText(page, step)))
    looks[0]?.forEach(({ metric, labels }, index) => {
      const values = looks.map((look) => look[index]?.value ?? Number.NaN)
      store.add(metric, { labels: withTarget(labels, page.target), atSeconds: at, values })
    })
    store.add('up', { labels: page.target, atSeconds: at, values: at.map(() => 1) })
  }
  return store
}

/** The labels of the target win; those of the page that they would overwrite are kept as `exported_*`. */
function withTarget(labels: Labels, target: Labels): Labels {
  const moved = Object.entries(labels).map(([name, value]) => [name in target ? `exported_${name}` : name, value])
  return { ...Object.fromEntries(moved), ...target }
}

/** The same series for a real Prometheus' remote write. */
export function timeSeriesOf(world: World, cluster: string): TimeSeries[] {
  return (world.stores.get(cluster)?.all() ?? []).map(({ metric, series }) => ({
    labels: { ...series.labels, __name__: metric },
    samples: series.atSeconds.map((at, index) => ({ atMs: Math.round(at * 1_000), value: series.values[index] ?? 0 })),
  }))
}

/** What the dialects that a cluster speaks read of it. */
export function observationsOf({ stores, atSeconds }: Pick<World, 'stores' | 'atSeconds'>): Observation[] {
  const names = [...stores.keys()]
  return names.map((name) => {
    const store = stores.get(name) ?? new SeriesStore()
    const spoken = dialectsFor({
      named: 'auto',
      peers: () => names.filter((other) => other !== name),
      overrides: {},
    }).filter((dialect) => dialect.detectedBy.some((metric) => store.metrics.includes(metric)))
    const read = spoken.map((dialect) =>
      readAtOnce(dialect, name, 1, answersOf(store, joining(dialect.questions(WINDOW_SECONDS)), atSeconds)),
    )
    return mergeObservations(name, 1, read)
  })
}

/** What else a proxy counts joins nothing; tests of the dialects hold it against a real Prometheus. */
export function joining(questions: readonly Question[]): readonly Question[] {
  return questions.filter(({ name }) => !['signals', 'proxies'].includes(name))
}

/** What the clusters know beside their meshes. */
export function inventoriesOf({ truth, stores, atSeconds }: World): Inventory[] {
  return truth.clusters.map(({ name }) => {
    const store = stores.get(name) ?? new SeriesStore()
    const questions = inventoryQuestions(new Set(store.metrics), WINDOW_SECONDS)
    return readInventory(name, answersOf(store, questions, atSeconds))
  })
}

function answersOf(store: SeriesStore, questions: readonly Question[], atSeconds: number): Map<string, SeriesColumn[]> {
  return new Map(
    questions.map(({ name, promql }): [string, SeriesColumn[]] => [
      name,
      store
        .query(promql, atSeconds)
        .map(({ labels, value }) => ({ ...labelsApart(labels), values: Float64Array.of(value) })),
    ]),
  )
}
