import { literal, type Matcher, quoted } from '../../dialects/promql.ts'
import { CLUSTER_LABEL, type Edit, NOWHERE, type Spelling } from './choose-clusters.ts'
import type { Member } from './fan-out.ts'
import { meets } from './label-patterns.ts'
import { labelPlaces } from './label-places.ts'
import type { ParsedPromql } from './parse-promql.ts'

/** What a label `cluster` of the series' own is called here. */
export const OWN_LABEL = `exported_${CLUSTER_LABEL}`

/**
 * Whether a label `cluster` in its series is one of their own. Where it is what tells the clusters of an endpoint apart,
 * the endpoint knows what `by (cluster)` means.
 */
export function hidesOwn({ matcher }: Pick<Member, 'matcher'>): boolean {
  return matcher?.label !== CLUSTER_LABEL
}

/** Whether the query's answer depends on what the series' own label `cluster` is called. */
export function speaksOfOwn(parsed: ParsedPromql): boolean {
  const { groupings, texts } = labelPlaces(parsed)
  return (
    parsed.selectors.some(({ conditions }) => conditions.some(({ matcher }) => matcher?.label === OWN_LABEL)) ||
    groupings.some(({ labels }) => labels.some(({ label }) => label === OWN_LABEL)) ||
    texts.some(({ label, isRead }) => label === OWN_LABEL || (isRead && label === CLUSTER_LABEL))
  )
}

/** Label functions in whose arguments the cluster is named: no series has it where they are evaluated. */
export function namingCluster(parsed: ParsedPromql): readonly string[] {
  const words = labelPlaces(parsed).texts.flatMap(({ label, word }) => (label === CLUSTER_LABEL ? [word] : []))
  return [...new Set(words)].filter((word) => word === 'label_replace' || word === 'label_join')
}

/**
 * As the member's own Prometheus has to be asked so that its answer is what it would be if the cluster were a label of
 * every series: the same for all of them, it makes no difference to what is grouped or matched by it. What is left out
 * with it is what its endpoint calls it. `moved`: the series have a label of that name, which is called otherwise here.
 */
export function spellingFor(
  parsed: ParsedPromql,
  { name: cluster, matcher: endpoint }: Pick<Member, 'name' | 'matcher'>,
  moved: boolean,
): Spelling {
  const { groupings, texts } = labelPlaces(parsed)
  const named = (label: string, text: string) => (moved && label === OWN_LABEL ? CLUSTER_LABEL : text)
  const grouped = groupings.flatMap(({ from, to, labels, leavesOut }): Edit[] => {
    const others = labels.filter(({ label }) => label !== CLUSTER_LABEL)
    const isNamed = others.length < labels.length
    if (!isNamed && !(moved && labels.some(({ label }) => label === OWN_LABEL))) return []
    const kept = others.map(({ label, text }) => named(label, text))
    const also = isNamed && leavesOut && endpoint !== null ? [endpoint.label] : []
    return [{ from, to, text: `(${[...new Set([...also, ...kept])].join(', ')})` }]
  })
  const told = texts.flatMap(({ label, from, to, isRead }): Edit[] => {
    if (!moved) return []
    if (label === OWN_LABEL) return [{ from, to, text: quoted(CLUSTER_LABEL) }]
    return label === CLUSTER_LABEL && isRead ? [{ from, to, text: quoted(NOWHERE) }] : []
  })
  return {
    edits: [...grouped, ...told],
    condition: ({ matcher, text }) =>
      moved && matcher?.label === OWN_LABEL ? ownConditions(matcher, cluster) : [text],
  }
}

/**
 * Conditions on the own label that leave out series of this cluster which meet them: of those whose own label names this
 * very cluster, shown without one, a pattern that excludes its name and takes what has none says the contrary of what it
 * says there, and no condition says both. As written.
 */
export function missedOf({ selectors }: ParsedPromql, cluster: string): readonly string[] {
  return selectors.flatMap(({ conditions }) =>
    conditions.flatMap(({ matcher, text }) => {
      if (matcher?.label !== OWN_LABEL || matcher.op !== '!~') return []
      return meets(matcher, '') && !meets(matcher, cluster) ? [text] : []
    }),
  )
}

/** Series whose own label names this very cluster are shown without one. */
function ownConditions({ op, value }: Matcher, cluster: string): readonly string[] {
  const own: Matcher = { label: CLUSTER_LABEL, op, value }
  const [empty, same] = [meets(own, ''), meets(own, cluster)]
  if (same && !empty) return [textOf(own), textOf({ ...own, op: '!=', value: cluster })]
  if (same || !empty) return [textOf(own)]
  switch (op) {
    case '=':
    case '=~':
      return [textOf({ ...own, op: '=~', value: `(?:${value})|${literal(cluster)}` })]
    case '!=':
      return []
    // Told by `missedOf`.
    default:
      return [textOf(own)]
  }
}

function textOf({ label, op, value }: Matcher): string {
  return `${label}${op}${quoted(value)}`
}
