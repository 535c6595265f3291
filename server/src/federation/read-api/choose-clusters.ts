import { RE2JS } from 're2js'
import { type Matcher, quoted } from '../../dialects/promql.ts'
import type { ParsedPromql, Selector } from './parse-promql.ts'

/** What every series carries here, and no Prometheus knows of itself. */
export const CLUSTER_LABEL = 'cluster'

/** No series has it: makes a selector empty where it speaks of other clusters. */
const NOWHERE = '__goldseam_other_cluster__'

/** The names that the selector's conditions on the cluster let through. Throws on a regular expression RE2 refuses. */
export function clustersOf(selector: Selector, names: readonly string[]): ReadonlySet<string> {
  const tests = selector.conditions.flatMap(({ matcher }) =>
    matcher?.label === CLUSTER_LABEL ? [testOf(matcher)] : [],
  )
  return new Set(names.filter((name) => tests.every((test) => test(name))))
}

/** RE2, as in Prometheus: anchored at both ends, and no expression takes exponential time. */
function testOf({ op, value }: Matcher): (name: string) => boolean {
  switch (op) {
    case '=':
      return (name) => name === value
    case '!=':
      return (name) => name !== value
    case '=~':
    case '!~': {
      const pattern = RE2JS.compile(value, RE2JS.DOTALL)
      return (name) => pattern.matches(name) === (op === '=~')
    }
    default:
      return op satisfies never
  }
}

/**
 * The query as the Prometheus of one cluster is asked it: without conditions on the cluster, and empty where they
 * choose others. `more` is added to every selector.
 */
export function queryFor(
  { text, selectors }: ParsedPromql,
  isChosen: (selector: Selector) => boolean,
  more: readonly Matcher[] = [],
): string {
  let rewritten = ''
  let done = 0
  for (const selector of selectors) {
    const [from, to] =
      selector.braces === null ? [selector.to, selector.to] : [selector.braces.from, selector.braces.to]
    rewritten += text.slice(done, from) + bracesOf(selector, isChosen(selector), more)
    done = to
  }
  return rewritten + text.slice(done)
}

function bracesOf({ braces, conditions, named }: Selector, chosen: boolean, more: readonly Matcher[]): string {
  const kept = conditions.filter(({ matcher }) => matcher?.label !== CLUSTER_LABEL)
  const texts = [
    ...kept.map((condition) => condition.text),
    ...more.map(({ label, op, value }) => `${label}${op}${quoted(value)}`),
  ]
  if (!chosen) texts.push(`${NOWHERE}="x"`)
  // Prometheus wants one condition that no empty label meets; the cluster was one.
  else if (!named && kept.length < conditions.length && more.length === 0) texts.push('__name__!=""')
  return texts.length === 0 && braces === null ? '' : `{${texts.join(',')}}`
}
