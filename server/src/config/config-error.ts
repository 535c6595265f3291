import { type Document, isMap, isNode, isScalar, type LineCounter } from 'yaml'

/** One thing wrong with the config file. `path` is as a person would write it: `clusters[0].name`. */
export interface ConfigError {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly path: string
  readonly message: string
}

export type ConfigPath = readonly (string | number)[]

/** Makes an error that points at a value, or with `key` at that key of it. */
export type ErrorAt = (path: ConfigPath, message: string, key?: string) => ConfigError

/** `file:line:column: path: what is wrong, what to do`. */
export function formatConfigError({ file, line, column, path, message }: ConfigError): string {
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`
}

export function positionFinder(document: Document, lines: LineCounter, file: string): ErrorAt {
  return (path, message, key) => {
    const { line, col } = lines.linePos(offsetOf(document, path, key))
    return {
      file,
      line: Math.max(line, 1),
      column: Math.max(col, 1),
      path: pathText(key === undefined ? path : [...path, key]),
      message,
    }
  }
}

/** Where a value starts; where it is missing, where the nearest thing around it starts. */
function offsetOf(document: Document, path: ConfigPath, key: string | undefined): number {
  const holder = document.getIn(path, true)
  if (key !== undefined && isMap(holder)) {
    const pair = holder.items.find((item) => isScalar(item.key) && item.key.value === key)
    if (isNode(pair?.key)) return pair.key.range?.[0] ?? 0
  }
  const node = path.length === 0 ? document.contents : holder
  if (isNode(node)) return node.range?.[0] ?? 0
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1), undefined)
}

/** A path as a person would write it. */
export function pathText(path: ConfigPath): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}
