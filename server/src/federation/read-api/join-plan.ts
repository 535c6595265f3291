import type { SyntaxNode } from '@lezer/common'
import { CLUSTER_LABEL } from './choose-clusters.ts'
import {
  bare,
  type Filled,
  filledIn,
  numberIn,
  type PairStep,
  pairStepOf,
  type Step,
  sidesOf,
  stepOf,
  UNFILLED,
} from './numbers-around.ts'
import { childrenOf, groupingLabels, type ParsedPromql } from './parse-promql.ts'

/** How what several clusters say of the same labels becomes one value. */
export type Fold = 'add' | 'most' | 'least' | 'one'

/** An aggregation that each cluster is asked, and whose answers can be folded. */
export interface Asked {
  readonly kind: 'asked'
  /** `sum`, `count`, ...; `avg` where it stands for the sum or the count of one. */
  readonly word: string
  readonly fold: Fold
  /** What each cluster is asked. */
  readonly text: string
  /** What is aggregated: each cluster has to be able to tell it of itself. */
  readonly inner: string
}

/** How an expression is answered over several clusters at once, from what each of them says. */
export type JoinPlan =
  | Asked
  /** Of histograms: a quantile, or one of the numbers that a native one holds. */
  | { readonly kind: 'quantile'; readonly q: number; readonly of: Asked }
  | { readonly kind: 'ofNative'; readonly what: NativeNumber; readonly of: Asked }
  /** Done to each number. */
  | { readonly kind: 'each'; readonly step: Step; readonly of: JoinPlan }
  | Pair
  | { readonly kind: 'set'; readonly operator: SetOperator; readonly left: JoinPlan; readonly right: JoinPlan }

/** Done to each two numbers of the same labels. */
interface Pair {
  readonly kind: 'pair'
  readonly step: PairStep
  readonly left: JoinPlan
  readonly right: JoinPlan
  readonly fill: Filled
}

export type NativeNumber = 'count' | 'sum' | 'avg'
export type SetOperator = 'and' | 'or' | 'unless'

/** Why an expression has no one answer over several clusters, in words for whoever asked. */
export class NotJoinable extends Error {
  override readonly name = 'NotJoinable'
}

const FOLDS: Readonly<Record<string, Fold>> = { sum: 'add', count: 'add', max: 'most', min: 'least', group: 'one' }
/** A sum of sums is a sum; a count of counts is no count. */
const NESTING = ['sum', 'max', 'min']
const PICKING = ['topk', 'bottomk', 'limitk', 'limit_ratio']
const NATIVE_NUMBERS: Readonly<Record<string, NativeNumber>> = {
  histogram_count: 'count',
  histogram_sum: 'sum',
  histogram_avg: 'avg',
}
const SETS: Readonly<Record<string, SetOperator>> = { And: 'and', Or: 'or', Unless: 'unless' }

/** Each term of a sum may be a question to every cluster. */
const DEEPEST = 300

/**
 * An expression as one over all clusters: of sums, counts, largest and smallest ones, and averages as sums by counts;
 * of quantiles of added up buckets; and arithmetic between those. Throws `NotJoinable` for any other.
 */
export function joinPlan({ text, tree }: ParsedPromql): JoinPlan {
  let depth = 0
  return planOf(childrenOf(tree.topNode)[0])

  function planOf(given: SyntaxNode | undefined): JoinPlan {
    depth += 1
    if (depth > DEEPEST) throw new NotJoinable(`it is nested more than ${DEEPEST} deep`)
    const plan = plannedAs(bare(given))
    depth -= 1
    return plan
  }

  function plannedAs(node: SyntaxNode | undefined): JoinPlan {
    switch (node?.name) {
      case 'AggregateExpr':
        return aggregated(node)
      case 'FunctionCall':
        return called(node)
      case 'BinaryExpr':
        return binary(node)
      case 'UnaryExpr': {
        const [sign, inner] = childrenOf(node)
        const of = planOf(inner)
        return textOf(sign) === '-' ? { kind: 'each', step: (value) => -value, of } : of
      }
      default:
        throw new NotJoinable('series are not added up as they are; write sum(...) around what is to be added up')
    }
  }

  function aggregated(node: SyntaxNode): JoinPlan {
    const operator = node.firstChild ?? undefined
    const word = wordOf(operator)
    const args = childrenOf(node.getChild('FunctionCallBody'))
    if (!losesCluster(node))
      throw new NotJoinable(`${word} keeps the clusters apart by itself: nothing is to be joined`)
    if (word === 'avg') {
      const inner = textOf(args[0])
      const rest = text.slice(operator?.to, node.to)
      const part = (name: string): Asked => ({ kind: 'asked', word, fold: 'add', text: `${name}${rest}`, inner })
      return {
        kind: 'pair',
        step: (sum, count) => sum / count,
        left: part('sum'),
        right: part('count'),
        fill: UNFILLED,
      }
    }
    const fold = FOLDS[word]
    if (fold !== undefined)
      return { kind: 'asked', word, fold, text: textOf(node), inner: textOf(within(word, args[0])) }
    throw new NotJoinable(
      PICKING.includes(word)
        ? `${word} picks series in each cluster, and those of all would have to be picked anew`
        : `${word} of all clusters cannot be made of the ${word} of each`,
    )
  }

  /** What a sum of sums sums up, since it is one sum of that. */
  function within(word: string, given: SyntaxNode | undefined): SyntaxNode | undefined {
    const node = bare(given)
    const isSame = node?.name === 'AggregateExpr' && NESTING.includes(word) && wordOf(node.firstChild) === word
    return isSame && losesCluster(node) ? within(word, childrenOf(node.getChild('FunctionCallBody'))[0]) : given
  }

  function losesCluster(node: SyntaxNode): boolean {
    const modifier = node.getChild('AggregateModifier')
    const named = groupingLabels(modifier, text).includes(CLUSTER_LABEL)
    return modifier?.getChild('Without') ? named : !named
  }

  function called(node: SyntaxNode): JoinPlan {
    const name = textOf(node.firstChild)
    const args = childrenOf(node.getChild('FunctionCallBody'))
    if (name === 'sort' || name === 'sort_desc') return planOf(args[0])
    const what = NATIVE_NUMBERS[name]
    if (what !== undefined) return { kind: 'ofNative', what, of: sumIn(args[0], name) }
    if (name !== 'histogram_quantile')
      throw new NotJoinable(`${name}() of all clusters cannot be made of what each of them says of ${name}()`)
    const q = numberIn(args[0], text)
    if (q === null) throw new NotJoinable('histogram_quantile is joined where a number says which quantile')
    return { kind: 'quantile', q, of: sumIn(args[1], name) }
  }

  function sumIn(given: SyntaxNode | undefined, name: string): Asked {
    const node = bare(given)
    const plan = node?.name === 'AggregateExpr' && losesCluster(node) ? aggregated(node) : null
    if (plan?.kind === 'asked' && plan.word === 'sum') return plan
    throw new NotJoinable(
      `${name} is joined where it is of a sum without the label "${CLUSTER_LABEL}", so that buckets are added up first; percentiles are never averaged`,
    )
  }

  function binary(node: SyntaxNode): JoinPlan {
    const [left, right] = sidesOf(node)
    const [l, r] = [numberIn(left, text), numberIn(right, text)]
    if (node.getChild('MatchingModifierClause') !== null)
      throw new NotJoinable('"on", "ignoring" and "group" are not joined; only sides with the same labels are')
    const fill = filledIn(node, text)
    if (fill === null) throw new NotJoinable('"fill" is joined where a number says what is filled in')
    const isFilled = fill.left !== null || fill.right !== null
    const set = childrenOf(node).flatMap(({ name }) => SETS[name] ?? [])[0]
    if (isFilled && (set !== undefined || l !== null || r !== null))
      throw new NotJoinable('"fill" is for two sides with series each')
    if (set !== undefined) return { kind: 'set', operator: set, left: planOf(left), right: planOf(right) }
    if ((l === null) !== (r === null)) {
      const step = stepOf(node, l, r)
      if (step !== null) return { kind: 'each', step, of: planOf(l === null ? left : right) }
    }
    const step = pairStepOf(node)
    if (step === null) throw new NotJoinable('this operator is not joined')
    return { kind: 'pair', step, left: planOf(left), right: planOf(right), fill }
  }

  /** Of an aggregation: the grammar takes it in capitals as well. */
  function wordOf(part: SyntaxNode | null | undefined): string {
    return textOf(part).toLowerCase()
  }

  function textOf(part: SyntaxNode | null | undefined): string {
    return part ? text.slice(part.from, part.to) : ''
  }
}

/** All that is asked, from left to right. */
export function askedIn(plan: JoinPlan): readonly Asked[] {
  switch (plan.kind) {
    case 'asked':
      return [plan]
    case 'pair':
    case 'set':
      return [...askedIn(plan.left), ...askedIn(plan.right)]
    default:
      return askedIn(plan.of)
  }
}

/** Whether it is one quantile, with nothing but numbers around it. */
export function isQuantile(parsed: ParsedPromql): boolean {
  try {
    let plan = joinPlan(parsed)
    while (plan.kind === 'each') plan = plan.of
    return plan.kind === 'quantile'
  } catch (error) {
    if (error instanceof NotJoinable) return false
    throw error
  }
}
