/**
 * How long a query took to evaluate: `data.stats.timings.evalTotalTime`, told on demand; by a server that waits for
 * others (Thanos) with the waiting. VictoriaMetrics has `stats.executionTimeMsec` beside the data. Null where the
 * answer does not tell.
 */
export function evaluatedIn({ data, stats: beside }: Readonly<Record<string, unknown>>): number | null {
  const { stats } = (data ?? {}) as { stats?: { timings?: { evalTotalTime?: unknown } } }
  const { executionTimeMsec } = (beside ?? {}) as { executionTimeMsec?: unknown }
  const executed = typeof executionTimeMsec === 'number' ? executionTimeMsec / 1_000 : null
  const seconds = stats?.timings?.evalTotalTime ?? executed
  return typeof seconds === 'number' && seconds >= 0 ? seconds : null
}
