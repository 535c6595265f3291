import { RE2JS } from 're2js'
import type { Matcher } from '../../dialects/promql.ts'
import { shapeOf } from './pattern-shape.ts'
import { ReadFailure } from './read-failure.ts'

/** Of all distinct patterns of one question: some 100 ms on the event loop, where a hundred clusters' names are tried. */
const MOST_EFFORT = 20_000
/** What is done for the shortest pattern, too. */
const LEAST_EFFORT = 100
/** Of the compiled ones that are kept, since pages ask the same again and again; a step takes some hundred bytes. */
const MOST_KEPT = 5 * MOST_EFFORT

const kept = new Map<string, RE2JS>()
let keptEffort = 0

/** Whether a label with that value meets the condition. */
export function meets(matcher: Matcher, value: string): boolean {
  try {
    return testOf(matcher)(value)
  } catch {
    // No regular expression: that is for a Prometheus to say.
    return false
  }
}

/** Whether a series without any of these labels meets all conditions. */
export function allMeetEmpty(matchers: readonly Matcher[]): boolean {
  return matchers.every((one) => byItsText(one) !== false) && triedOnEmpty(matchers).every((one) => meets(one, ''))
}

/** Those of them whose patterns have to be tried to tell. */
export function triedOnEmpty(matchers: readonly Matcher[]): readonly Matcher[] {
  const told = matchers.map(byItsText)
  return told.includes(false) ? [] : matchers.filter((_, index) => told[index] === null)
}

/** Whether an empty label meets it; null where its text does not tell. */
function byItsText({ op, value }: Matcher): boolean | null {
  if (op === '=' || op === '!=') return (value === '') === (op === '=')
  return shapeOf(value).mayBeEmpty ? null : op === '!~'
}

/**
 * What a condition says of a label's value: RE2, as in Prometheus, anchored at both ends, and no expression takes
 * exponential time. Throws on a regular expression that RE2 refuses.
 */
export function testOf({ op, value }: Matcher): (text: string) => boolean {
  switch (op) {
    case '=':
      return (text) => text === value
    case '!=':
      return (text) => text !== value
    case '=~':
    case '!~': {
      const pattern = compiled(value)
      return (text) => pattern.matches(text) === (op === '=~')
    }
    default:
      return op satisfies never
  }
}

function compiled(text: string): RE2JS {
  const known = kept.get(text)
  const pattern = known ?? RE2JS.compile(text, RE2JS.DOTALL)
  if (known === undefined) keptEffort += effortOf(text)
  // The newest last, so that the first is the one that was not needed for the longest time.
  kept.delete(text)
  kept.set(text, pattern)
  while (keptEffort > MOST_KEPT) {
    const [oldest = text] = kept.keys()
    kept.delete(oldest)
    keptEffort -= effortOf(oldest)
  }
  return pattern
}

/**
 * Throws `bad_data` where the patterns of these conditions, each counted once, are more than may be compiled and tried
 * while everybody else waits.
 */
export function refuseCostlyPatterns(matchers: readonly Matcher[]): void {
  const labels = new Map(
    matchers.flatMap(({ label, op, value }) => (op === '=~' || op === '!~' ? [[value, label]] : [])),
  )
  const efforts = [...labels].map(([text, label]) => ({ label, effort: effortOf(text) }))
  const effort = efforts.reduce((sum, one) => sum + one.effort, 0)
  if (effort <= MOST_EFFORT) return
  const label = efforts.toSorted((a, b) => b.effort - a.effort)[0]?.label
  throw new ReadFailure(
    'bad_data',
    `the patterns on the label "${label}" are too costly to be tried here (${Math.round(effort).toLocaleString('en')} of ${MOST_EFFORT.toLocaleString('en')} steps): name fewer or shorter ones, without large counts such as {500}`,
  )
}

function effortOf(text: string): number {
  return Math.max(LEAST_EFFORT, shapeOf(text).steps)
}
