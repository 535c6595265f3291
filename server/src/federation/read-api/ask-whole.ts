import { storeAddress } from '../../prometheus/missing-part.ts'
import { UpstreamError } from '../../prometheus/upstream-error.ts'
import { storeTrouble } from '../store-trouble.ts'
import { askEach, type Outcome, type ReadLimits } from './fan-out.ts'
import { readWhole } from './merge-results.ts'
import type { Question, ReadScope } from './read-answer.ts'
import { allMissing, type Missing, missingBy, ReadFailure } from './read-failure.ts'
import type { WholeQuery } from './whole-query.ts'

/** The endpoint did not answer for all at once. */
export interface NotWhole {
  readonly failure: ReadFailure
  /** For whoever gets the clusters' own answers instead. */
  readonly info: string
  /** What it took. */
  readonly seconds: number
}

/** An answer is in hand: what is missing in it must not be waited for any longer. */
const STORES_WITHIN_MS = 2_000

/**
 * Asks the one endpoint that holds all clusters. A cluster that is not there is a missing one, also where the endpoint
 * leaves it out without a word; a store in trouble is a warning that names its cluster.
 */
export async function askWhole(
  whole: WholeQuery,
  ask: (query: string) => Question,
  limits: ReadLimits,
  scope: ReadScope,
  tries = 2,
): Promise<{ outcome: Outcome } | NotWhole> {
  const { name, api } = whole.endpoint
  const startedMs = performance.now()
  const absent = whole.clusters.filter(({ absence }) => absence() !== null)
  try {
    const { parts } = await askEach(
      [{ name, api, matcher: null, among: null }],
      { ask: () => ask(whole.promql), read: (data) => readWhole(data, whole.labelled) },
      limits,
      scope,
    )
    const troubles = await troublesIn(
      whole,
      parts.flatMap(({ warnings }) => warnings),
      scope.signal,
    )
    const empty = parts.every(({ rows }) => rows.length === 0)
    const missing = await missingOf(whole, empty ? troubles.byCluster : new Map())
    if (missing.length === whole.clusters.length) throw allMissing(missing)
    const gone = new Set(missing.map(({ cluster }) => cluster))
    // Back by now, and nobody knows whether it was when it was asked.
    if (tries > 1 && absent.some((cluster) => !gone.has(cluster.name)))
      return await askWhole(whole, ask, limits, scope, tries - 1)
    const incomplete = [...troubles.byCluster]
      .filter(([cluster]) => !gone.has(cluster))
      .map(([cluster, trouble]) => `cluster ${cluster} is missing or incomplete: ${trouble}`)
    const warnings = [...incomplete, ...troubles.others]
    return { outcome: { parts: parts.map((part) => ({ ...part, warnings })), missing } }
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error
    const seconds = (performance.now() - startedMs) / 1_000
    const why = error.missing.find(({ cluster }) => cluster === name)?.text ?? error.message
    return { failure: error, info: `${name} did not answer for all clusters at once: ${why}`, seconds }
  }
}

/** Clusters that are not there, and those without an answer whose store is in trouble. */
async function missingOf({ clusters }: WholeQuery, silent: ReadonlyMap<string, string>): Promise<readonly Missing[]> {
  const absences = await Promise.all(clusters.map(({ confirmedAbsence }) => confirmedAbsence()))
  return clusters.flatMap(({ name }, index): Missing[] => {
    const absence = absences[index] ?? null
    if (absence !== null) return [missingBy(name, absence)]
    const trouble = silent.get(name)
    return trouble === undefined ? [] : [missingBy(name, new UpstreamError('unreachable', trouble))]
  })
}

/** What Thanos says about stores, said about clusters; and what it says besides. */
async function troublesIn(
  { endpoint, clusters }: WholeQuery,
  warnings: readonly string[],
  signal: AbortSignal,
): Promise<{ byCluster: ReadonlyMap<string, string>; others: readonly string[] }> {
  const byCluster = new Map<string, string>()
  const others: string[] = []
  if (warnings.every((warning) => storeTrouble(warning) === null)) return { byCluster, others: warnings }
  const soon = AbortSignal.any([signal, AbortSignal.timeout(STORES_WITHIN_MS)])
  const byStore = await endpoint.valuesByStore(soon).catch(() => new Map<string, readonly string[]>())
  for (const warning of warnings) {
    const trouble = storeTrouble(warning)
    const address = storeAddress(warning)
    // Of no store in particular: nobody was there to be asked.
    const values = address === null ? clusters.map(({ value }) => value) : (byStore.get(address) ?? [])
    const concerned = clusters.filter(({ value }) => values.includes(value))
    if (trouble === null) others.push(warning)
    else if (concerned.length === 0) others.push(`${endpoint.name}: ${trouble}`)
    else for (const { name } of concerned) byCluster.set(name, trouble)
  }
  return { byCluster, others }
}
