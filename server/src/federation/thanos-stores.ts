import type { PrometheusApi } from '../prometheus/api.ts'

/** Value of the cluster label -> null while one of its stores answers, else the last error of one. */
export type Stores = ReadonlyMap<string, string | null>

/**
 * What the stores of a Thanos announce about a label, from its own memory: it does not ask them for it, so a store
 * that hangs does not hold this. Null where there is no such page: not a Thanos.
 */
export async function readStores(api: PrometheusApi, label: string, signal: AbortSignal): Promise<Stores | null> {
  const question = { path: '/api/v1/stores', method: 'GET', fields: [], timeoutSeconds: null } as const
  const answer = await api.forward(question, signal)
  if (answer.state !== 'answered' || !isRecord(answer.data)) return null
  const stores = new Map<string, string | null>()
  for (const store of Object.values(answer.data).flatMap((kind) => (Array.isArray(kind) ? kind : []))) {
    if (!isRecord(store) || !Array.isArray(store.labelSets)) continue
    const lastError = typeof store.lastError === 'string' ? store.lastError : null
    for (const labels of store.labelSets) {
      const value = isRecord(labels) ? labels[label] : undefined
      if (typeof value !== 'string') continue
      // One store that answers is enough; the others' troubles come as warnings of its answers.
      stores.set(value, stores.get(value) === null ? null : lastError)
    }
  }
  return stores
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
