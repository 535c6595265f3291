import { LABEL_NAME } from '../dialects/promql.ts'
import type { PrometheusApi } from '../prometheus/api.ts'

/** Value of the cluster label -> null while one of its stores answers, else the last error of one. */
export type Stores = ReadonlyMap<string, string | null>

/**
 * What the stores of a Thanos announce about a label, from its own memory: it does not ask them for it, so a store
 * that hangs does not hold this. Null where there is no such page: not a Thanos.
 */
export async function readStores(api: PrometheusApi, label: string, signal: AbortSignal): Promise<Stores | null> {
  const told = await announced(api, label, signal)
  if (told === null) return null
  const stores = new Map<string, string | null>()
  for (const { lastError, values } of told) {
    // One store that answers is enough; the others' troubles come as warnings of its answers.
    for (const value of values) stores.set(value, stores.get(value) === null ? null : lastError)
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
  const sets = ((await announced(api, label, signal)) ?? []).flatMap(({ labelSets }) => labelSets)
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
  const told = (await announced(api, label, signal)) ?? []
  return new Map(told.map(({ address, values }) => [address, values]))
}

interface Announced {
  readonly address: string
  readonly lastError: string | null
  readonly labelSets: readonly Readonly<Record<string, unknown>>[]
  readonly values: readonly string[]
}

async function announced(
  api: Pick<PrometheusApi, 'forward'>,
  label: string,
  signal: AbortSignal,
): Promise<readonly Announced[] | null> {
  const about = 'stores of a Thanos'
  const question = { path: '/api/v1/stores', method: 'GET', fields: [], timeoutSeconds: null, about } as const
  const answer = await api.forward(question, signal)
  if (answer.state !== 'answered' || !isRecord(answer.data)) return null
  const stores = Object.values(answer.data).flatMap((kind) => (Array.isArray(kind) ? kind : []))
  return stores.flatMap((store: unknown) => {
    if (!isRecord(store) || !Array.isArray(store.labelSets)) return []
    const labelSets = store.labelSets.filter(isRecord)
    const values = labelSets.map((labels) => labels[label])
    return {
      address: String(store.name),
      lastError: typeof store.lastError === 'string' ? store.lastError : null,
      labelSets,
      values: values.filter((value) => typeof value === 'string'),
    }
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
