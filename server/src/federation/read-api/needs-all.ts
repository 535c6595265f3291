import type { SyntaxNode } from '@lezer/common'
import { CLUSTER_LABEL } from './choose-clusters.ts'
import { labelPlaces } from './label-places.ts'
import { childrenOf, groupingLabels, type ParsedPromql, type Selector } from './parse-promql.ts'

/** What asking each cluster on its own does to a query. */
export interface Division {
  /** Parts that are not what they would be over all data at once, in words; empty = the answer is exact. */
  readonly infos: readonly string[]
  /** Those of them that hold for one cluster as well, where its series do not carry its name. */
  readonly unlabelled: readonly string[]
  /** Why it cannot be asked of each cluster on its own at all; null = it can. */
  readonly refusal: string | null
}

/** Of a part of the query: no data, values told apart by cluster, or values over several clusters. */
interface Part {
  readonly kind: 'plain' | 'apart' | 'across'
  readonly clusters: ReadonlySet<string>
  /** A number, which is matched with nothing. */
  readonly isScalar: boolean
}

const PLAIN: Part = { kind: 'plain', clusters: new Set(), isScalar: true }
const SCALARS = ['scalar', 'time', 'pi', 'start', 'end', 'step', 'range', 'min_of', 'max_of']
const WHOLE_VECTOR = ['absent', 'absent_over_time', 'scalar']
const LABEL_FUNCTIONS = ['label_replace', 'label_join']
const UNLABELLED = `a side that reads no series has no label "${CLUSTER_LABEL}": it was matched all the same where a cluster has a Prometheus of its own`
const REST = 'was evaluated in each cluster on its own'
const MATCHED_APART = `matching without the label "${CLUSTER_LABEL}" ${REST}, not across them`

/** `chosen` are the clusters of each selector. */
export function divide(parsed: ParsedPromql, chosen: ReadonlyMap<Selector, ReadonlySet<string>>): Division {
  const { text, tree, selectors } = parsed
  const infos = new Set<string>()
  const unlabelled = new Set<string>()
  let refusal: string | null = null
  const namingCluster = new Set(
    labelPlaces(parsed).texts.flatMap(({ label, from }) => (label === CLUSTER_LABEL ? [from] : [])),
  )
  const byPosition = new Map(selectors.map((selector) => [selector.from, chosen.get(selector) ?? new Set<string>()]))

  /** `inner`: those of its children. */
  function partOf(node: SyntaxNode, inner: readonly Part[]): Part {
    switch (node.name) {
      case 'VectorSelector':
        return { kind: 'apart', clusters: byPosition.get(node.from) ?? new Set(), isScalar: false }
      case 'AggregateExpr':
        return { ...aggregate(node, joined(inner)), isScalar: false }
      case 'FunctionCall':
        return { ...called(node, joined(inner)), isScalar: SCALARS.includes(wordOf(node.firstChild)) }
      case 'BinaryExpr':
        return binary(node, inner)
      default:
        return together(inner)
    }
  }

  function aggregate(node: SyntaxNode, inner: Part): Part {
    const modifier = node.getChild('AggregateModifier')
    const named = groupingLabels(modifier, text).includes(CLUSTER_LABEL)
    const apart = modifier !== null && (modifier.getChild('By') !== null ? named : !named)
    if (inner.kind === 'plain' || apart) return inner
    infos.add(`${wordOf(node.firstChild)} without the label "${CLUSTER_LABEL}" ${REST}, not over all of them`)
    return { ...inner, kind: 'across' }
  }

  function called(node: SyntaxNode, inner: Part): Part {
    const name = wordOf(node.firstChild)
    if (inner.kind === 'plain') return inner
    if (LABEL_FUNCTIONS.includes(name)) {
      const args = childrenOf(node.getChild('FunctionCallBody'))
      if (args.some(({ from }) => namingCluster.has(from)))
        infos.add(`${name} ${REST}, where there is no label "${CLUSTER_LABEL}"`)
    }
    if (!WHOLE_VECTOR.includes(name)) return inner
    infos.add(`${name}() ${REST}, not over all of them`)
    return { ...inner, kind: 'across' }
  }

  function binary(node: SyntaxNode, parts: readonly Part[]): Part {
    const clause = node.getChild('MatchingModifierClause')
    const named = groupingLabels(clause, text).includes(CLUSTER_LABEL)
    const apart = clause === null || (clause.getChild('On') !== null ? named : !named)
    const [left = PLAIN, right = PLAIN] = parts.filter(({ kind }) => kind !== 'plain')
    if (left.kind === 'plain' || right.kind === 'plain') {
      const literal = left.kind !== 'plain' && node.getChild('Or') !== null
      if (literal) infos.add('the side of "or" that reads no series stands once for each cluster')
      if (left.kind === 'apart' && apart && parts.some(({ kind, isScalar }) => kind === 'plain' && !isScalar)) {
        unlabelled.add(UNLABELLED)
        if (!literal) infos.add(UNLABELLED)
      }
      // What reads no series is kept or dropped by what any cluster has.
      const isSet = node.getChild('And') !== null || node.getChild('Unless') !== null
      if (isSet && !apart && left.kind !== 'plain' && parts[0]?.kind === 'plain') infos.add(MATCHED_APART)
      return joined(parts)
    }
    if (left.kind === 'apart' && right.kind === 'apart' && apart) return joined(parts)
    if (!sameSet(left.clusters, right.clusters)) refuse(left, right)
    if (!apart) infos.add(MATCHED_APART)
    return joined(parts)
  }

  function refuse(left: Part, right: Part): void {
    const names = ({ clusters }: Part) => [...clusters].join(', ') || 'none'
    refusal ??= `two sides are taken from different clusters, one from ${names(left)}, the other from ${names(right)}: they have to be the same, because each cluster answers on its own`
  }

  /** Arguments of one call: each is evaluated where the others are. */
  function together(parts: readonly Part[]): Part {
    const [first, ...others] = parts.filter(({ kind }) => kind !== 'plain')
    for (const other of others)
      if (first !== undefined && !sameSet(first.clusters, other.clusters)) refuse(first, other)
    return joined(parts)
  }

  function wordOf(node: SyntaxNode | null): string {
    return node === null ? '' : text.slice(node.from, node.to)
  }

  // Upwards from the innermost: a long sum is nested as deep as it has terms, deeper than calls may be.
  const open: Part[][] = [[]]
  tree.iterate({
    enter() {
      open.push([])
    },
    leave({ node }) {
      const inner = open.pop() ?? []
      if (node.name !== 'LineComment') open.at(-1)?.push(partOf(node, inner))
    },
  })
  return { infos: [...infos], unlabelled: [...unlabelled], refusal }
}

function joined(parts: readonly Part[]): Part {
  const kinds = parts.map(({ kind }) => kind)
  return {
    kind: kinds.includes('across') ? 'across' : kinds.includes('apart') ? 'apart' : 'plain',
    clusters: new Set(parts.flatMap(({ clusters }) => [...clusters])),
    isScalar: parts.every(({ isScalar }) => isScalar),
  }
}

function sameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((name) => other.has(name))
}

/** Asking each cluster gives the same: then no cluster's trouble is another's, as it is where they are asked as one. */
export function isExact({ infos, refusal }: Pick<Division, 'infos' | 'refusal'>): boolean {
  return infos.length === 0 && refusal === null
}
