import type { SyntaxNode } from '@lezer/common'
import { childrenOf } from './parse-promql.ts'

/** What is done to one number; null: it is filtered out. */
export type Step = (value: number) => number | null

/** What is made of two numbers; null: the left one is filtered out. */
export type PairStep = (left: number, right: number) => number | null

/** Without the parentheses around it. */
export function bare(node: SyntaxNode | undefined): SyntaxNode | undefined {
  return node?.name === 'ParenExpr' ? bare(childrenOf(node)[0]) : node
}

const SIDES = /(Expr|Call|Literal|Selector)$/

/** The operands of a binary expression. */
export function sidesOf(node: SyntaxNode): readonly (SyntaxNode | undefined)[] {
  return childrenOf(node).filter(({ name }) => SIDES.test(name) || name === 'NumberDurationLiteral')
}

/** What stands in for the number of a side that has none; null: nothing does. */
export interface Filled {
  readonly left: number | null
  readonly right: number | null
}

export const UNFILLED: Filled = { left: null, right: null }
const FILLS: Readonly<Record<string, readonly (keyof Filled)[]>> = {
  FillClause: ['left', 'right'],
  FillLeftClause: ['left'],
  FillRightClause: ['right'],
}

/** What `fill(...)` and the like say; null where one says no plain number. */
export function filledIn(node: SyntaxNode, text: string): Filled | null {
  const filled = { ...UNFILLED }
  for (const clause of childrenOf(node.getChild('FillModifier'))) {
    const value = numberIn(clause.getChild('NumberDurationLiteral') ?? undefined, text)
    if (value === null) return null
    for (const side of FILLS[clause.name] ?? []) filled[side] = value
  }
  return filled
}

/** The number that stands there, `-1` and `(2)` as well; null: something else does. A duration is its seconds. */
export function numberIn(given: SyntaxNode | undefined, text: string): number | null {
  const node = bare(given)
  if (node?.name === 'UnaryExpr') {
    const [sign, inner] = childrenOf(node)
    const value = numberIn(inner, text)
    const minus = sign !== undefined && text.slice(sign.from, sign.to) === '-'
    return value === null ? null : minus ? -value : value
  }
  if (node?.name !== 'NumberDurationLiteral') return null
  const value = Number(text.slice(node.from, node.to))
  return Number.isNaN(value) ? null : value
}

const ARITHMETIC: Readonly<Record<string, (left: number, right: number) => number>> = {
  Add: (left, right) => left + right,
  Sub: (left, right) => left - right,
  Mul: (left, right) => left * right,
  Div: (left, right) => left / right,
  Mod: (left, right) => left % right,
  Pow: (left, right) => left ** right,
}
const COMPARISONS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  Eql: (left, right) => left === right,
  Neq: (left, right) => left !== right,
  Gtr: (left, right) => left > right,
  Gte: (left, right) => left >= right,
  Lss: (left, right) => left < right,
  Lte: (left, right) => left <= right,
}

/** Arithmetic, or a comparison: as a filter of its left side, or with `bool` as 0 and 1. Null for any other operator. */
export function pairStepOf(node: SyntaxNode): PairStep | null {
  const named = childrenOf(node).map(({ name }) => name)
  const arithmetic = named.map((name) => ARITHMETIC[name]).find((found) => found !== undefined)
  if (arithmetic !== undefined) return arithmetic
  const comparison = named.map((name) => COMPARISONS[name]).find((found) => found !== undefined)
  if (comparison === undefined) return null
  if (named.includes('BoolModifier')) return (left, right) => Number(comparison(left, right))
  return (left, right) => (comparison(left, right) ? left : null)
}

/** The same where one of `left` and `right` is a number: what is done to the other one, which a filter keeps. */
export function stepOf(node: SyntaxNode, left: number | null, right: number | null): Step | null {
  const pair = pairStepOf(node)
  if (pair === null) return null
  const isFilter = childrenOf(node).every(({ name }) => ARITHMETIC[name] === undefined && name !== 'BoolModifier')
  return (value) => {
    const made = pair(left ?? value, right ?? value)
    return made !== null && isFilter ? value : made
  }
}
