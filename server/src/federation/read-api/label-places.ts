import type { SyntaxNode } from '@lezer/common'
import { childrenOf, labelIn, type ParsedPromql } from './parse-promql.ts'
import { unquoted } from './promql-text.ts'

/** Where a query names labels outside of its selectors. Offsets are into its text. */
export interface LabelPlaces {
  /** The parentheses of `by`, `without`, `on`, `ignoring`, `group_left` and `group_right`. */
  readonly groupings: readonly Grouping[]
  readonly texts: readonly NamedText[]
}

interface Grouping {
  readonly from: number
  readonly to: number
  readonly labels: readonly Named[]
  /** Of `without` and `ignoring`: every other label counts. */
  readonly leavesOut: boolean
}

interface Named {
  readonly label: string
  readonly from: number
  readonly to: number
  /** As it is written. */
  readonly text: string
}

/** A label named by a text that is an argument. */
export interface NamedText {
  readonly label: string
  readonly from: number
  readonly to: number
  /** Of the function, or `count_values`. */
  readonly word: string
  readonly isRead: boolean
}

/** Which arguments name labels: the one that is written, and the first of those that are read. */
const NAMING: Readonly<Record<string, { readonly written?: number; readonly read?: number; readonly all?: true }>> = {
  label_replace: { written: 1, read: 3 },
  label_join: { written: 1, read: 3, all: true },
  sort_by_label: { read: 1, all: true },
  sort_by_label_desc: { read: 1, all: true },
  count_values: { written: 0 },
  histogram_quantiles: { written: 1 },
}

/** Every place in the order of the text. */
export function labelPlaces({ text, tree }: ParsedPromql): LabelPlaces {
  const groupings: Grouping[] = []
  const texts: NamedText[] = []
  tree.iterate({
    enter({ name, from, to, node }) {
      if (name === 'LabelMatchers') return false
      if (name === 'GroupingLabels') {
        const labels = childrenOf(node).map((one) => ({
          label: labelIn(one, text),
          from: one.from,
          to: one.to,
          text: text.slice(one.from, one.to),
        }))
        const leavesOut = ['Without', 'Ignoring'].includes(node.prevSibling?.name ?? '')
        groupings.push({ from, to, labels, leavesOut })
      }
      if (name === 'FunctionCall' || name === 'AggregateExpr') texts.push(...namedBy(node, text))
      return undefined
    },
  })
  return { groupings, texts }
}

function namedBy(call: SyntaxNode, text: string): NamedText[] {
  const written = text.slice(call.firstChild?.from, call.firstChild?.to)
  // Aggregations may be in capitals, functions may not.
  const word = call.name === 'AggregateExpr' ? written.toLowerCase() : written
  const { written: named, read = Number.POSITIVE_INFINITY, all } = NAMING[word] ?? {}
  return childrenOf(call.getChild('FunctionCallBody')).flatMap(({ name, from, to }, index) => {
    const isRead = index === read || (all === true && index > read)
    if (name !== 'StringLiteral' || !(isRead || index === named)) return []
    return [{ label: unquoted(text.slice(from, to)), from, to, word, isRead }]
  })
}
