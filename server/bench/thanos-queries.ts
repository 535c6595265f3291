import type { AskedQuery } from './query-log.ts'

/** The same question over all clusters at once: told apart by the external label that Thanos adds. */
export function acrossClusters(query: AskedQuery): AskedQuery {
  return { ...query, promql: query.promql.replaceAll(/by \(/g, 'by (cluster,') }
}

const QUANTILES = [0.5, 0.95, 0.99, 0.999]

/** Buckets summed by `le` are answered as quantiles instead, one query each. */
export function withQuantiles(query: AskedQuery): AskedQuery[] {
  if (!/_bucket\{/.test(query.promql)) return [query]
  return QUANTILES.map((q) => ({ ...query, promql: `histogram_quantile(${q}, ${query.promql})` }))
}
