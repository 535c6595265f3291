/** Who answers for all clusters at once; no cluster can be called that. */
export const TOGETHER = 'all together'

/**
 * Whether an expression is a quantile of buckets that are summed without their cluster: then there is one answer over
 * all clusters besides each one's own. Whether it can be had is for the server to say.
 */
export function asksForAll(promql: string): boolean {
  const bare = promql.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|#.*$/gm, '""')
  const quantile = /\bhistogram_quantile\s*\(/.test(bare) && /\bsum\b/.test(bare)
  return quantile && !/\bby\s*\([^)]*\bcluster\b/.test(bare)
}
