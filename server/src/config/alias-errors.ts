import { type Document, isPair, isScalar, isSeq, type LineCounter, visit } from 'yaml'
import { type ConfigError, type ConfigPath, pathText } from './config-error.ts'

/**
 * A glob such as `*\/shop/*` without quotes is a reference to YAML, to something that nobody named: a mistake that is easily
 * made, and that the parser speaks of only when values are taken.
 */
export function aliasErrors(document: Document, lines: LineCounter, file: string): ConfigError[] {
  const errors: ConfigError[] = []
  visit(document, {
    Alias(key, node, ancestors) {
      if (node.resolve(document) !== undefined) return
      const { line, col } = lines.linePos(node.range?.[0] ?? 0)
      const written = `*${node.source}`
      const message = `'${written}' begins with *, which has a meaning of its own in YAML; put it in quotes: "${written}"`
      errors.push({ file, line, column: col, path: pathText(pathOf([...ancestors, node], key)), message })
    },
  })
  return errors
}

/** `nodes`: from the document to the value; `key`: of the value in the last but one. */
function pathOf(nodes: readonly unknown[], key: unknown): ConfigPath {
  return nodes.flatMap<string | number>((node, index) => {
    const within = nodes[index - 1]
    if (isPair(node) && isScalar(node.key)) return [String(node.key.value)]
    if (isSeq(within)) return [index === nodes.length - 1 && typeof key === 'number' ? key : within.items.indexOf(node)]
    return []
  })
}
