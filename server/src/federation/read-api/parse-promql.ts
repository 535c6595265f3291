import type { PartialParse, SyntaxNode, Tree } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'
import type { Matcher } from '../../dialects/promql.ts'
import { unquoted } from './promql-text.ts'
import { ReadFailure } from './read-failure.ts'
import { APART, spelledForParser } from './spelled-for-parser.ts'

/** `name{...}` within a query. Offsets are into its text. */
export interface Selector {
  readonly from: number
  readonly to: number
  /** Where its braces are; null where it has none. */
  readonly braces: { readonly from: number; readonly to: number } | null
  /** Whether a name stands before its braces. */
  readonly named: boolean
  readonly conditions: readonly Condition[]
  /** The argument of `info()` to whose series it adds labels; null where it is no such selector. */
  readonly adding: { readonly from: number; readonly to: number } | null
}

/** One entry between the braces: the condition, or null for a quoted metric name, with its own text. */
export interface Condition {
  readonly matcher: Matcher | null
  readonly text: string
}

export interface ParsedPromql {
  readonly text: string
  readonly tree: Tree
  /** In the order of the text. */
  readonly selectors: readonly Selector[]
}

/** Deeper ones are no questions but attempts on the stack: the parser's tree alone takes most of it. */
const DEEPEST = 2_000
/** Of the parser. Two thousand terms of some twenty words take a quarter of it, and a million hold up the event loop for a second. */
const MOST_STEPS = 300_000

const BRACKETS = new RegExp(`${APART.source}|[()[\\]{}]`, 'gs')

/** A query by Prometheus' own grammar; null where that does not know it. Throws where it is nested too deep. */
export function parsePromql(text: string): ParsedPromql | null {
  if (isBracketedTooDeep(text)) throw tooDeep()
  const parsed = understood(text, text)
  const other = parsed === null ? spelledForParser(text) : text
  return other === text ? parsed : understood(text, other)
}

/** `spelled`: for the parser, with everything in the same place. */
function understood(text: string, spelled: string): ParsedPromql | null {
  const tree = treeOf(spelled)
  const selectors: Selector[] = []
  let broken = text.trim() === ''
  let depth = 0
  tree.iterate({
    enter(node) {
      depth += 1
      if (depth > DEEPEST) throw tooDeep()
      if (node.type.isError) broken = true
      if (broken) return false
      if (node.name === 'VectorSelector') selectors.push(selectorAt(node.node, text))
      return undefined
    },
    leave() {
      depth -= 1
    },
  })
  return broken ? null : { text, tree, selectors }
}

/**
 * The parser breaks off where it has put 300 large pieces one after the other to the left of what follows, as in a sum of
 * many terms, and calls the rest an error. It does so by a count of its own, which is kept low here.
 */
function treeOf(text: string): Tree {
  const parse: PartialParse & { bigReductionCount?: number } = parser.startParse(text)
  try {
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const tree = parse.advance()
      if (tree !== null) return tree
      parse.bigReductionCount = 0
    }
    throw new ReadFailure(
      'bad_data',
      `the query is too long: to read it takes more than ${MOST_STEPS.toLocaleString('en')} steps`,
    )
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error
  }
}

/** The parser takes seconds to find out. */
function isBracketedTooDeep(text: string): boolean {
  let depth = 0
  for (const [piece] of text.matchAll(BRACKETS)) {
    if ('([{'.includes(piece)) depth += 1
    else if (')]}'.includes(piece)) depth -= 1
    if (depth > DEEPEST) return true
  }
  return false
}

function tooDeep(): ReadFailure {
  const most = DEEPEST.toLocaleString('en')
  return new ReadFailure('bad_data', `the query is nested more than ${most} deep; a sum of many terms is as well`)
}

function selectorAt(node: SyntaxNode, text: string): Selector {
  const braces = node.getChild('LabelMatchers')
  const conditions = childrenOf(braces).map((child) => ({
    matcher: matcherAt(child, text),
    text: text.slice(child.from, child.to),
  }))
  const named = node.getChild('Identifier') !== null
  return { from: node.from, to: node.to, braces, named, conditions, adding: addingTo(node, text) }
}

function addingTo(selector: SyntaxNode, text: string): Selector['adding'] {
  let argument = selector
  while (argument.parent?.name === 'OffsetExpr' || argument.parent?.name === 'StepInvariantExpr')
    argument = argument.parent
  const call = argument.parent?.name === 'FunctionCallBody' ? argument.parent.parent : null
  if (slice(call?.firstChild ?? null, text) !== 'info') return null
  const [first] = childrenOf(argument.parent)
  return first === undefined || first.from === argument.from ? null : { from: first.from, to: first.to }
}

function matcherAt(node: SyntaxNode, text: string): Matcher | null {
  if (node.name === 'QuotedLabelName') return null
  const name = node.getChild('LabelName')
  const quotedName = node.getChild('QuotedLabelName')
  const label = name === null ? unquoted(slice(quotedName, text)) : slice(name, text)
  const value = unquoted(slice(node.getChild('StringLiteral'), text))
  return { label, op: slice(node.getChild('MatchOp'), text) as Matcher['op'], value }
}

export function childrenOf(node: SyntaxNode | null): SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = node?.firstChild ?? null; child !== null; child = child.nextSibling) {
    if (child.name !== 'LineComment') children.push(child)
  }
  return children
}

/** The labels between the parentheses of `by (...)`, `on (...)`, `group_left (...)`. */
export function groupingLabels(node: SyntaxNode | null, text: string): readonly string[] {
  return childrenOf(node?.getChild('GroupingLabels') ?? null).map((child) => labelIn(child, text))
}

/** The label that one of them names, which may be in quotes. */
export function labelIn(node: SyntaxNode, text: string): string {
  return node.name === 'QuotedLabelName' ? unquoted(slice(node, text)) : slice(node, text)
}

function slice(node: SyntaxNode | null, text: string): string {
  return node === null ? '' : text.slice(node.from, node.to)
}
