import { LanguageType, promQLLanguage } from '@prometheus-io/codemirror-promql'

const { parser } = promQLLanguage(LanguageType.PromQL)

type SyntaxNode = ReturnType<typeof parser.parse>['topNode']

/** The metric that an expression asks for first; null where none is named. */
export function metricIn(promql: string): string | null {
  for (const node of nodesIn(promql)) {
    if (node.name !== 'VectorSelector') continue
    const name = node.getChild('Identifier')
    if (name !== null) return promql.slice(name.from, name.to)
  }
  return null
}

/**
 * Whether an expression has a quantile of buckets that are summed without their cluster: then there is one answer over
 * all clusters besides each one's own. Whether it can be had is for the server to say.
 */
export function asksForAll(promql: string): boolean {
  const textOf = (node: SyntaxNode | null) => (node === null ? '' : promql.slice(node.from, node.to))
  const isQuantile = (node: SyntaxNode) =>
    node.name === 'FunctionCall' && textOf(node.firstChild) === 'histogram_quantile'
  return nodesIn(promql).some((node) => {
    if (node.name !== 'AggregateExpr' || textOf(node.firstChild) !== 'sum') return false
    const modifier = node.getChild('AggregateModifier')
    const labels = modifier?.getChild('GroupingLabels')?.getChildren('LabelName') ?? []
    const named = labels.some((label) => textOf(label) === 'cluster')
    if (modifier?.getChild('Without') ? !named : named) return false
    for (let above = node.parent; above !== null; above = above.parent) if (isQuantile(above)) return true
    return false
  })
}

function nodesIn(promql: string): SyntaxNode[] {
  const nodes: SyntaxNode[] = []
  parser.parse(promql).iterate({ enter: ({ node }) => void nodes.push(node) })
  return nodes
}

/** What is wrong with the text and where, in one sentence; null when it can be asked. */
export function syntaxProblem(promql: string): string | null {
  if (promql.trim() === '') return null
  const cursor = parser.parse(promql).cursor()
  do {
    if (!cursor.type.isError) continue
    const before = promql.slice(0, cursor.from)
    const line = before.split('\n').length
    const column = cursor.from - before.lastIndexOf('\n')
    const found = promql.slice(cursor.from, cursor.to).trim()
    return `${line}:${column}: ${found === '' ? 'something is missing here' : `"${found.slice(0, 40)}" is not understood here`}. The last result stays.`
  } while (cursor.next())
  return null
}
