import { LABEL_NAME } from '../dialects/promql.ts'
import type { PrometheusApi } from '../prometheus/api.ts'

/** What the stores that hold a cluster say of it. */
export interface Announced {
  /** Null while one of them answers, else the last error of one. */
  readonly lastError: string | null
  /** Whether a sidecar that answers is among them: there is a Prometheus beside it, whatever that one scrapes. */
  readonly bySidecar: boolean
}

/** By the value of the cluster label. */
export type Stores = ReadonlyMap<string, Announced>

/**
 * What the stores of a Thanos announce about a label, from its own memory: it does not ask them for it, so a store
 * that hangs does not hold this. Null where there is no such page: not a Thanos.
 *
 * Only stores that have something since `sinceSeconds` (unix) count: a store gateway announces the labels of all its
 * blocks, those of clusters that were shut down a year ago among them, and none of the last hours.
 */
export async function readStores(
  api: Pick<PrometheusApi, 'forward'>,
  label: string,
  sinceSeconds: number,
  signal: AbortSignal,
): Promise<Stores | null> {
  const told = await storesOf(api, label, signal)
  if (told === null) return null
  const stores = new Map<string, Announced>()
  for (const { lastError, isSidecar, values, endsAtSeconds } of told) {
    if (endsAtSeconds < sinceSeconds) continue
    for (const value of values) {
      const other = stores.get(value)
      stores.set(value, {
        // One store that answers is enough; the others' troubles come as warnings of its answers.
        lastError: other?.lastError === null ? null : lastError,
        bySidecar: other?.bySidecar === true || (isSidecar && lastError === null),
      })
    }
  }
  return stores
}

/** Labels, other than these, by which stores that announce the same cluster differ: replicas of it, or parts. */
export async function readLabelsApart(
  api: Pick<PrometheusApi, 'forward'>,
  label: string,
  known: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const sets = ((await storesOf(api, label, signal)) ?? []).flatMap(({ labelSets }) => labelSets)
  const apart = new Set<string>()
  const firsts = new Map<string, Readonly<Record<string, unknown>>>()
  for (const set of sets) {
    const cluster = set[label]
    if (typeof cluster !== 'string') continue
    const first = firsts.get(cluster)
    if (first === undefined) firsts.set(cluster, set)
    else for (const name of Object.keys({ ...first, ...set })) if (first[name] !== set[name]) apart.add(name)
  }
  // Labels of other names, which OTLP makes, have no place in a query that every Prometheus understands.
  return [...apart].filter((name) => !known.includes(name) && LABEL_NAME.test(name)).sort()
}

/** Address of each store -> the label's values it announces; empty where it is not a Thanos. */
export async function readValuesByStore(
  api: Pick<PrometheusApi, 'forward'>,
  label: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const told = (await storesOf(api, label, signal)) ?? []
  return new Map(told.map(({ address, values }) => [address, values]))
}

interface Store {
  readonly address: string
  readonly isSidecar: boolean
  readonly lastError: string | null
  /** Of its newest sample, unix seconds: ages ahead where it takes in new ones, infinite where it does not tell. */
  readonly endsAtSeconds: number
  readonly labelSets: readonly Readonly<Record<string, unknown>>[]
  readonly values: readonly string[]
}

async function storesOf(
  api: Pick<PrometheusApi, 'forward'>,
  label: string,
  signal: AbortSignal,
): Promise<readonly Store[] | null> {
  const about = 'stores of a Thanos'
  const question = { path: '/api/v1/stores', method: 'GET', fields: [], timeoutSeconds: null, about } as const
  const answer = await api.forward(question, signal)
  if (answer.state !== 'answered' || !isRecord(answer.data)) return null
  const byKind = Object.entries(answer.data)
  const stores = byKind.flatMap(([kind, list]) => (Array.isArray(list) ? list.map((store) => ({ kind, store })) : []))
  return stores.flatMap(({ kind, store }: { kind: string; store: unknown }) => {
    if (!isRecord(store) || !Array.isArray(store.labelSets)) return []
    const labelSets = store.labelSets.filter(isRecord)
    const values = labelSets.map((labels) => labels[label])
    return {
      address: String(store.name),
      isSidecar: kind === 'sidecar',
      lastError: typeof store.lastError === 'string' ? store.lastError : null,
      // A sidecar's is the largest number of 64 bits: not exact as a double, and as far ahead.
      endsAtSeconds: typeof store.maxTime === 'number' ? store.maxTime / 1_000 : Number.POSITIVE_INFINITY,
      labelSets,
      values: values.filter((value) => typeof value === 'string'),
    }
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
