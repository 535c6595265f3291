import type { SyntaxNode } from '@lezer/common'
import { CLUSTER_LABEL } from './choose-clusters.ts'
import { bare, numberIn, type Step, sidesOf, stepOf } from './numbers-around.ts'
import { childrenOf, groupingLabels, type ParsedPromql } from './parse-promql.ts'

const BOUND_LABEL = 'le'

/** A quantile over buckets of several clusters: what each of them is asked, and what is made of it all. */
export interface MergedQuantile {
  /** The sum of buckets, as text. */
  readonly buckets: string
  /** What is summed: each cluster has to be able to tell it of itself. */
  readonly summed: string
  readonly q: number
  /** What stands around the quantile, from the inside out. */
  readonly steps: readonly Step[]
}

/**
 * A query that is one `histogram_quantile(number, sum by (le, ...) (...))` without the label `cluster`, with arithmetic
 * or comparisons with numbers around it; null for any other. Sums of buckets are sums of the clusters' sums, so that
 * one can be taken over all of them, where a quantile of each cannot.
 */
export function mergedQuantile({ text, tree }: ParsedPromql): MergedQuantile | null {
  const steps: Step[] = []
  let node: SyntaxNode | null = childrenOf(tree.topNode)[0] ?? null
  while (node !== null) {
    switch (node.name) {
      case 'ParenExpr':
        node = childrenOf(node)[0] ?? null
        break
      case 'UnaryExpr': {
        const [sign, inner] = childrenOf(node)
        if (textOf(sign) === '-') steps.push((value) => -value)
        node = inner ?? null
        break
      }
      case 'BinaryExpr': {
        const [left, right] = sidesOf(node)
        const [l, r] = [numberIn(left, text), numberIn(right, text)]
        if ((l === null) === (r === null)) return null
        const step = stepOf(node, l, r)
        if (step === null) return null
        steps.push(step)
        node = (l === null ? left : right) ?? null
        break
      }
      case 'FunctionCall':
        return quantileIn(node, steps.reverse())
      default:
        return null
    }
  }
  return null

  function textOf(part: SyntaxNode | undefined): string {
    return part === undefined ? '' : text.slice(part.from, part.to)
  }

  function quantileIn(call: SyntaxNode, around: readonly Step[]): MergedQuantile | null {
    const args = childrenOf(call.getChild('FunctionCallBody'))
    const [rank, sum] = [args[0], bare(args[1])]
    const q = numberIn(rank, text)
    if (textOf(call.firstChild ?? undefined) !== 'histogram_quantile' || q === null || sum?.name !== 'AggregateExpr')
      return null
    const modifier = sum.getChild('AggregateModifier')
    const labels = groupingLabels(modifier, text)
    const kept = modifier?.getChild('By') ? labels : null
    const dropped = modifier?.getChild('Without') ? labels : null
    const clusterGone = kept === null ? dropped?.includes(CLUSTER_LABEL) === true : !kept.includes(CLUSTER_LABEL)
    const boundKept = kept === null ? dropped?.includes(BOUND_LABEL) === false : kept.includes(BOUND_LABEL)
    const summed = childrenOf(sum.getChild('FunctionCallBody'))
    if (textOf(sum.firstChild ?? undefined) !== 'sum' || !clusterGone || !boundKept || summed.length !== 1) return null
    return { buckets: textOf(sum), summed: textOf(summed[0]), q, steps: around }
  }
}
