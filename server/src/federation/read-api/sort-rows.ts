import { list, object } from '../../prometheus/envelope.ts'
import { numberOf } from './number-text.ts'
import { bare } from './numbers-around.ts'
import { childrenOf, type ParsedPromql } from './parse-promql.ts'
import { unquoted } from './promql-text.ts'

type Rows = readonly unknown[]
type Labels = Readonly<Record<string, unknown>>
type Compare = (one: unknown, other: unknown) => number

/**
 * What puts the rows of all clusters in the order that `sort(...)` and the like around everything ask for: each
 * cluster's own are in order, but one after the other they are not. Null where nothing is asked for.
 */
export function sortOf({ text, tree }: ParsedPromql): ((rows: Rows) => Rows) | null {
  const call = bare(childrenOf(tree.topNode)[0])
  if (call?.name !== 'FunctionCall') return null
  const labels = childrenOf(call.getChild('FunctionCallBody')).flatMap(({ name, from, to }) =>
    name === 'StringLiteral' ? [unquoted(text.slice(from, to))] : [],
  )
  const compare = orderOf(text.slice(call.firstChild?.from, call.firstChild?.to), labels)
  return compare === null ? null : (rows) => rows.toSorted(compare)
}

function orderOf(word: string, labels: readonly string[]): Compare | null {
  switch (word) {
    case 'sort':
      return byValue(1)
    case 'sort_desc':
      return byValue(-1)
    case 'sort_by_label':
      return byLabels(labels)
    case 'sort_by_label_desc': {
      const compare = byLabels(labels)
      return (one, other) => compare(other, one)
    }
    default:
      return null
  }
}

/** NaN comes last either way. */
function byValue(direction: 1 | -1): Compare {
  const numberIn = (row: unknown) => numberOf(String(list(object(row, 'sample').value ?? [], 'value')[1]))
  return (a, b) => {
    const [one, other] = [numberIn(a), numberIn(b)]
    if (Number.isNaN(one) || Number.isNaN(other)) return Number(Number.isNaN(one)) - Number(Number.isNaN(other))
    // Two infinities have no difference.
    return one === other ? 0 : one < other ? -direction : direction
  }
}

/** As Prometheus: by the labels given, numbers in them by their size; then by all labels. */
function byLabels(labels: readonly string[]): Compare {
  const of = (row: unknown) => object(object(row, 'sample').metric ?? {}, 'metric')
  const labelOf = (metric: Labels, label: string) => String(metric[label] ?? '')
  return (a, b) => {
    const [one, other] = [of(a), of(b)]
    for (const label of labels) {
      const [left, right] = [labelOf(one, label), labelOf(other, label)]
      if (left !== right) return isBefore(left, right) ? -1 : 1
    }
    return compareTexts(keyOf(one), keyOf(other))
  }
}

/** Runs of digits and of everything else, one by one. Source: facette/natsort, which Prometheus uses. */
function isBefore(left: string, right: string): boolean {
  const [ours, theirs] = [chunksOf(left), chunksOf(right)]
  for (const [index, chunk] of ours.entries()) {
    const other = theirs[index]
    if (other === undefined) return false
    const [one, two] = [wholeNumber(chunk), wholeNumber(other)]
    const numeric = one !== null && two !== null
    if (numeric ? one !== two : chunk !== other) return numeric ? one < two : compareTexts(chunk, other) < 0
    if (index === ours.length - 1) return true
  }
  return true
}

function chunksOf(text: string): readonly string[] {
  return text.match(/\d+|\D+/g) ?? []
}

function wholeNumber(chunk: string): bigint | null {
  return /^\d+$/.test(chunk) ? BigInt(chunk) : null
}

function keyOf(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]): [string, string] => [name, String(value)])
  return pairs
    .sort(([one], [other]) => compareTexts(one, other))
    .flat()
    .join('\0')
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}
