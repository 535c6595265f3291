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
const WANTED_POINTS = 240
const ROUND_SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400]
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

export interface Stretch {
  readonly from: number
  readonly to: number
  readonly step: number
}

/** Unix seconds, on whole steps so that two people who ask for the same get the same instants. */
export function stretchOf(from: string, to: string, step: string, nowMs: number): Stretch {
  const end = (toInstantMs(to, nowMs) ?? nowMs) / 1000
  const start = Math.min(end - 1, (toInstantMs(from, nowMs) ?? nowMs - 1_800_000) / 1000)
  const seconds = stepSeconds(step) ?? fittingStep(end - start, WANTED_POINTS)
  return { from: Math.floor(start / seconds) * seconds, to: Math.floor(end / seconds) * seconds, step: seconds }
}

export function stepSeconds(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text)
  const seconds = match ? Number(match[1]) * (UNITS[match[2] ?? 's'] ?? 1) : 0
  return seconds > 0 ? seconds : null
}

/** The shortest round step at which the span has at most so many points. */
export function fittingStep(spanSeconds: number, points: number): number {
  return ROUND_SECONDS.find((seconds) => spanSeconds / seconds <= points) ?? Math.ceil(spanSeconds / points)
}

export function pointsOf({ from, to, step }: Stretch): number {
  return Math.floor((to - from) / step) + 1
}
