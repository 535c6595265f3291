import type { Scope } from '../contract/index.ts'
import type { CompareWith } from '../federation/compare.ts'
import type { Wanted } from '../federation/engine-options.ts'
import { invalidRequest } from './mount.ts'
import type { HttpProblem } from './problem.ts'

/** A request's scope with its texts understood. Times are unix seconds. */
export interface ResolvedScope {
  readonly wanted: Wanted
  readonly fromSeconds: number
  readonly toSeconds: number
  readonly clusters: ReadonlySet<string> | null
  readonly namespaces: ReadonlySet<string> | null
  readonly text: string
}

const DEFAULT_SPAN_SECONDS = 1_800
const LONGEST_SPAN_SECONDS = 30 * 86_400
const UNIT_SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 }

/**
 * Understands the common query. Throws a problem that names the parameter. `clusterNames` null: not all are known.
 * `refreshSeconds`: who looks at an hour ago within so long means the same instant.
 */
export function resolveScope(
  scope: Scope,
  nowSeconds: number,
  clusterNames: readonly string[] | null,
  refreshSeconds = 0,
): ResolvedScope {
  const live = scope.to === undefined || scope.to === 'now'
  const given = live ? nowSeconds : timeOf(scope.to ?? 'now', nowSeconds, 'to')
  const moves = !live && scope.to?.startsWith('now') === true
  const toSeconds = moves && refreshSeconds > 0 ? Math.floor(given / refreshSeconds) * refreshSeconds : given
  const fromSeconds =
    scope.from === undefined ? toSeconds - DEFAULT_SPAN_SECONDS : timeOf(scope.from, nowSeconds, 'from')
  if (fromSeconds >= toSeconds) throw invalid('from', 'the time range is empty: `from` has to lie before `to`')
  if (toSeconds > nowSeconds + 60) throw invalid('to', 'lies in the future')
  if (toSeconds - fromSeconds > LONGEST_SPAN_SECONDS) throw invalid('from', 'the time range is longer than 30 days')
  const clusters = listOf(scope.c)
  for (const name of clusters ?? []) {
    const problem = unknownCluster(name, clusterNames)
    if (problem !== null) throw problem
  }
  return {
    wanted: {
      atSeconds: live ? null : toSeconds,
      windowSeconds: scope.window === undefined ? null : windowOf(scope.window),
      compare: compareOf(scope.cmp, nowSeconds),
    },
    fromSeconds,
    toSeconds,
    clusters,
    namespaces: listOf(scope.ns),
    text: (scope.q ?? '').trim().toLowerCase(),
  }
}

/** The problem with a cluster's name; null where it is known, or may be (`clusterNames` null). */
export function unknownCluster(name: string, clusterNames: readonly string[] | null): HttpProblem | null {
  if (clusterNames?.includes(name) !== false) return null
  return invalid('c', `cluster ${name} is not configured here (known: ${clusterNames.join(', ')})`)
}

/** `a,b,c`; null where nothing is named. */
export function listOf(list: string | undefined): Set<string> | null {
  const items = (list ?? '').split(',').filter((item) => item !== '')
  return items.length === 0 ? null : new Set(items)
}

/** Unix seconds of a time as addresses write it. Throws a problem that names the parameter. */
export function timeOf(text: string, nowSeconds: number, pointer: string): number {
  const seconds = secondsOf(text, nowSeconds)
  if (Number.isNaN(seconds)) throw invalid(pointer, `${text} is not a time: use RFC 3339, unix seconds, or now-30m`)
  // No clock was ever set to it, and far enough before it there is no date that could be written.
  if (seconds < 0) throw invalid(pointer, `${text} lies before 1970`)
  return seconds
}

/** Unix seconds; not a number where it is no time. */
function secondsOf(text: string, nowSeconds: number): number {
  const relative = /^now(?:-(\d+(?:\.\d+)?)([smhd]))?$/.exec(text)
  if (relative !== null) return nowSeconds - Number(relative[1] ?? 0) * (UNIT_SECONDS[relative[2] ?? 's'] ?? 1)
  if (!/^\d+(\.\d+)?$/.test(text)) return Date.parse(text) / 1000
  const value = Number(text)
  // Eleven digits of seconds would be the year 5138: such numbers are milliseconds.
  return value > 1e11 ? value / 1000 : value
}

const LONGEST_COMPARE_SECONDS = 6 * 3_600

/** `prev` (or nothing), `1d` (as long ago), or `2026-11-20T03:00Z/30m` (from there, so long). */
function compareOf(text: string | undefined, nowSeconds: number): CompareWith | null {
  if (text === undefined || text === '' || text === 'prev') return null
  const ago = /^(\d+)([hdw])$/.exec(text)
  if (ago !== null) {
    const seconds = Number(ago[1]) * (ago[2] === 'w' ? 7 * 86_400 : (UNIT_SECONDS[ago[2] ?? ''] ?? Number.NaN))
    if (seconds < 3_600 || seconds > 366 * 86_400) throw invalid('cmp', 'go back between an hour and a year')
    return { kind: 'ago', seconds }
  }
  const [from = '', span = ''] = text.split('/')
  const length = /^(\d+)([smh])$/.exec(span)
  if (length === null) {
    throw invalid('cmp', 'use prev, a time ago such as 1d or 1w, or a stretch such as 2026-11-20T03:00Z/30m')
  }
  const fromSeconds = timeOf(from, nowSeconds, 'cmp')
  const seconds = Number(length[1]) * (UNIT_SECONDS[length[2] ?? ''] ?? Number.NaN)
  if (!(seconds >= 60 && seconds <= LONGEST_COMPARE_SECONDS)) throw invalid('cmp', 'compare with 1 minute to 6 hours')
  if (fromSeconds + seconds > nowSeconds) throw invalid('cmp', 'the stretch to compare with reaches into the future')
  return { kind: 'window', fromSeconds, toSeconds: fromSeconds + seconds }
}

function windowOf(text: string): number {
  const parts = /^([\d.]+)(ms|s|m|h|d)$/.exec(text)
  const seconds = Number(parts?.[1]) * (UNIT_SECONDS[parts?.[2] ?? ''] ?? Number.NaN)
  if (!(seconds >= 15 && seconds <= 3_600)) throw invalid('window', 'the rate window has to lie between 15s and 1h')
  return seconds
}

function invalid(name: string, detail: string): HttpProblem {
  return invalidRequest([{ pointer: `/query/${name}`, detail }])
}
