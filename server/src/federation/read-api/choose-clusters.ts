import { type Matcher, quoted } from '../../dialects/promql.ts'
import type { Member } from './fan-out.ts'
import { allMeetEmpty, testOf } from './label-patterns.ts'
import type { Condition, ParsedPromql, Selector } from './parse-promql.ts'

/** What every series carries here, and no Prometheus knows of itself. */
export const CLUSTER_LABEL = 'cluster'

/** No series has it: makes a selector empty where it speaks of other clusters. */
export const NOWHERE = '__goldseam_other_cluster__'

/** The names that the selector's conditions on the cluster let through. Throws on a regular expression RE2 refuses. */
export function clustersOf(selector: Selector, names: readonly string[]): ReadonlySet<string> {
  const tests = selector.conditions.flatMap(({ matcher }) =>
    matcher?.label === CLUSTER_LABEL ? [testOf(matcher)] : [],
  )
  return new Set(names.filter((name) => tests.every((test) => test(name))))
}

/**
 * The clusters of each selector; null where a condition on them is no regular expression. What a blind member stands for
 * may be among them wherever no known cluster is named.
 */
export function clustersChosen(
  { selectors }: ParsedPromql,
  members: readonly Pick<Member, 'name' | 'blind'>[],
): ReadonlyMap<Selector, ReadonlySet<string>> | null {
  const names = members.flatMap(({ name, blind }) => (blind === undefined ? [name] : []))
  const unknown = members.flatMap(({ name, blind }) => (blind === undefined ? [] : [name]))
  const namesOne = ({ conditions }: Selector) =>
    conditions.some(({ matcher: is }) => is?.label === CLUSTER_LABEL && is.op === '=' && names.includes(is.value))
  const chosen = new Map<Selector, ReadonlySet<string>>()
  try {
    // Those to which labels are added stand before those that add them.
    for (const selector of selectors) {
      const own = new Set([...clustersOf(selector, names), ...(namesOne(selector) ? [] : unknown)])
      chosen.set(selector, selector.adding === null ? own : within(selector.adding, own))
    }
    return chosen
  } catch {
    return null
  }

  /** Those of them that what stands there is about, too; all where it reads no series. */
  function within({ from, to }: { from: number; to: number }, own: ReadonlySet<string>): ReadonlySet<string> {
    const inside = [...chosen].flatMap(([one, clusters]) => (one.from >= from && one.to <= to ? [clusters] : []))
    return inside.length === 0 ? own : new Set([...own].filter((name) => inside.some((some) => some.has(name))))
  }
}

/** Whether every series would meet them: one with none of these labels does. */
export function meetEverything(conditions: Selector['conditions']): boolean {
  const matchers = conditions.flatMap(({ matcher }) => matcher ?? [])
  return matchers.length === conditions.length && allMeetEmpty(matchers)
}

/**
 * The query as the Prometheus of one cluster is asked it: without conditions on the cluster, and empty where they
 * choose others. `more` is added to every selector; `spelled` as its labels are called there.
 */
export function queryFor(
  { text, selectors }: ParsedPromql,
  isChosen: (selector: Selector) => boolean,
  more: readonly Matcher[] = [],
  spelled: Spelling = AS_WRITTEN,
): string {
  const edits = selectors.map((selector) => selectorEdit(selector, isChosen(selector) ? more : null, spelled))
  return edited(text, [...edits, ...spelled.edits])
}

/** How a query is put for one member. */
export interface Spelling {
  /** Pieces outside of the selectors. */
  readonly edits: readonly Edit[]
  /** What becomes of a condition on another label than the cluster. */
  readonly condition: (condition: Condition) => readonly string[]
}

const AS_WRITTEN: Spelling = { edits: [], condition: ({ text }) => [text] }

/** A piece of a query's text and what takes its place. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** The text with each piece replaced; they do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  let done = 0
  const pieces: string[] = []
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    pieces.push(text.slice(done, edit.from), edit.text)
    done = edit.to
  }
  return pieces.join('') + text.slice(done)
}

/** The selector without its conditions on the cluster, with these added; null = it is to find nothing. */
export function selectorEdit(
  selector: Selector,
  added: readonly Matcher[] | null,
  spelled: Spelling = AS_WRITTEN,
): Edit {
  const { from, to } = selector.braces ?? { from: selector.to, to: selector.to }
  return { from, to, text: bracesOf(selector, added !== null, added ?? [], spelled) }
}

function bracesOf(
  { braces, conditions, named, adding }: Selector,
  chosen: boolean,
  more: readonly Matcher[],
  { condition }: Spelling,
): string {
  const kept = conditions.filter(({ matcher }) => matcher?.label !== CLUSTER_LABEL)
  const texts = [...kept.flatMap(condition), ...more.map(({ label, op, value }) => `${label}${op}${quoted(value)}`)]
  if (!chosen) texts.push(...aboutClusters(conditions), `${NOWHERE}="x"`)
  // Prometheus wants one condition that no empty label meets; the cluster was one, and a sidecar takes its own away.
  // What is added by info() is chosen among its own metrics.
  else if (!named && adding === null && kept.length < conditions.length && meetEverything(kept))
    texts.push('__name__!=""')
  return texts.length === 0 && braces === null ? '' : `{${texts.join(',')}}`
}

/** The conditions on the cluster are left in what is empty anyway: `absent()` tells of them. */
function aboutClusters(conditions: Selector['conditions']): string[] {
  return conditions.flatMap(({ matcher }) =>
    matcher?.label === CLUSTER_LABEL ? [`${CLUSTER_LABEL}${matcher.op}${quoted(matcher.value)}`] : [],
  )
}

/** A sample without what made its selector empty: `absent()` tells of that, too. */
export function withoutMark(row: unknown): unknown {
  const { metric } = (row ?? {}) as { metric?: Readonly<Record<string, unknown>> }
  if (metric === undefined || !(NOWHERE in metric)) return row
  const { [NOWHERE]: _mark, ...rest } = metric
  return { ...(row as object), metric: rest }
}
