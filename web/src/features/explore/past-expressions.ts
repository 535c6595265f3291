const KEY = 'goldseam.explore.history'
const MOST_KEPT = 50

/** An expression that was run in this browser; `atMs` is null where an older page kept it. */
export interface PastExpression {
  readonly promql: string
  readonly atMs: number | null
}

/** What was run in this browser, newest first. It never leaves it. */
export function readPast(): readonly PastExpression[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.flatMap((entry) => readEntry(entry) ?? []) : []
  } catch {
    return []
  }
}

function readEntry(entry: unknown): PastExpression | null {
  if (typeof entry === 'string') return { promql: entry, atMs: null }
  if (typeof entry !== 'object' || entry === null) return null
  const { promql, atMs } = entry as { promql?: unknown; atMs?: unknown }
  return typeof promql === 'string' ? { promql, atMs: typeof atMs === 'number' ? atMs : null } : null
}

export function remember(expressions: readonly string[], atMs: number): readonly PastExpression[] {
  const fresh = [...new Set(expressions)].map((promql) => ({ promql, atMs }))
  return keep([...fresh, ...readPast().filter(({ promql }) => !expressions.includes(promql))].slice(0, MOST_KEPT))
}

/** Without one of them, or without all. */
export function forget(promql: string | null): readonly PastExpression[] {
  return keep(promql === null ? [] : readPast().filter((entry) => entry.promql !== promql))
}

function keep(past: readonly PastExpression[]): readonly PastExpression[] {
  try {
    localStorage.setItem(KEY, JSON.stringify(past))
  } catch {
    // Without storage there is no history, and nothing else is lost.
  }
  return past
}
