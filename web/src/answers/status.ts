import type { Workload } from '@goldseam/server/contract'
import type { Mark } from '../ui/glyph.tsx'

/** The facets above the table; every workload has exactly one. */
export const STATUSES = ['crit', 'via', 'warn', 'ok', 'none', 'stale'] as const
export type Status = (typeof STATUSES)[number]

export const STATUS_WORDS: Record<Status, string> = {
  crit: 'in trouble',
  via: 'explained by a suspect',
  warn: 'slower than usual',
  ok: 'healthy',
  none: 'no data',
  stale: 'stale',
}

export const STATUS_MARKS: Record<Status, Mark> = {
  crit: 'crit',
  via: 'critVia',
  warn: 'warn',
  ok: 'ok',
  none: 'none',
  stale: 'stale',
}

/** Whose doing comes before how fresh: a suspect stays a suspect when its last numbers are a minute old. */
export function statusOf({ suspectRank, via, truth, health }: Workload): Status {
  if (suspectRank !== null) return 'crit'
  if (via !== null && health !== 'ok' && health !== 'none') return 'via'
  if (truth === 'stale') return 'stale'
  return health
}

export function markOf(workload: Workload): Mark {
  const status = statusOf(workload)
  if (status === 'via' && workload.health === 'warn') return 'warnVia'
  return status === 'crit' && workload.suspectRank === null ? 'critOpen' : STATUS_MARKS[status]
}
