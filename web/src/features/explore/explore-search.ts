import { type ExploreStretch, exploreStretch } from '@goldseam/server/contract'
import { z } from 'zod'
import { field, type Values } from '../../scope/fields.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { toInstantMs } from '../../scope/time-range.ts'

/** `each`: a small chart a cluster, all on the same axes. */
export const VIEWS = ['lines', 'each', 'table', 'heat'] as const
export type View = (typeof VIEWS)[number]

/** Whether each cluster's answer stands for itself, or one is made of all of them. */
export const JOINS = ['each', 'added'] as const
export type Join = (typeof JOINS)[number]

const Names = z.string().transform((text) => text.split(',').filter(Boolean))
const expression = () => field(z.string().max(8_000), '')

/** The expressions (called A, B, ... on the page), the clusters they are asked of (none named: all), and how. */
export const exploreFields = {
  e1: expression(),
  e2: expression(),
  e3: expression(),
  e4: expression(),
  e5: expression(),
  e6: expression(),
  e7: expression(),
  e8: expression(),
  on: field(Names, [] as string[]),
  view: field(z.enum(VIEWS), 'lines' as View),
  join: field(z.enum(JOINS), 'each' as Join),
  step: field(z.string().regex(/^\d+(\.\d+)?(s|m|h|d)$/), ''),
}

const KEYS = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8'] as const
export const MOST_EXPRESSIONS = KEYS.length

/** Those that a link holds, in its order; one that was left empty is none. */
export function expressionsIn(values: Values<typeof exploreFields>): string[] {
  return KEYS.map((key) => values[key]).filter((promql) => promql.trim() !== '')
}

/** The same back in the link, without holes. */
export function expressionSearch(expressions: readonly string[]): SearchText {
  const given = expressions.filter((promql) => promql.trim() !== '')
  return Object.fromEntries(KEYS.map((key, index) => [key, given[index]]))
}

export function letterOf(index: number): string {
  return String.fromCharCode(65 + index)
}

/** Most points of one series that Prometheus answers. */
export const MOST_POINTS = 11_000

export type Stretch = ExploreStretch

/** Unix seconds, on whole steps so that two people who ask for the same get the same instants. */
export function stretchOf(from: string, to: string, step: string, nowMs: number): Stretch {
  const end = (toInstantMs(to, nowMs) ?? nowMs) / 1000
  return exploreStretch((toInstantMs(from, nowMs) ?? nowMs - 1_800_000) / 1000, end, step)
}

export function pointsOf({ from, to, step }: Stretch): number {
  return Math.floor((to - from) / step) + 1
}
