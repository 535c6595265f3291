import { isAlias, isMap, LineCounter, parseDocument } from 'yaml'
import { aliasErrors } from './alias-errors.ts'
import { type ConfigError, type ErrorAt, positionFinder } from './config-error.ts'
import { crossErrors } from './cross-checks.ts'
import { issueErrors } from './issues.ts'
import { ConfigFile } from './schema.ts'
import type { Config } from './settings.ts'

export type { ConfigError } from './config-error.ts'
export type * from './settings.ts'

export type ParsedConfig = { readonly config: Config } | { readonly errors: readonly ConfigError[] }

/**
 * Reads a config file's text. Pure: secret files are only named, not read. Every error is reported, in file order.
 * `metrics`: those that an override may rename; null: not looked at.
 */
export function parseConfig(text: string, fileName: string, metrics: ReadonlySet<string> | null = null): ParsedConfig {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0) {
    const errors = document.errors.map((error): ConfigError => {
      const { line, col } = lines.linePos(error.pos[0])
      return { file: fileName, line, column: col, path: '', message: yamlAdvice(error.code, error.message) }
    })
    return { errors }
  }
  const at = positionFinder(document, lines, fileName)
  if (!isMap(document.contents) || isAlias(document.contents)) {
    return {
      errors: [at([], 'the file holds no settings; it needs at least `clusters:` (see deploy/goldseam.example.yaml)')],
    }
  }
  const aliases = aliasErrors(document, lines, fileName)
  if (aliases.length > 0) return { errors: aliases }
  let raw: unknown
  try {
    raw = document.toJS()
  } catch (error) {
    // It refuses references that would unfold without an end.
    return { errors: [at([], `not to be read: ${error instanceof Error ? error.message : String(error)}`)] }
  }
  const parsed = ConfigFile.safeParse(raw, { reportInput: true })
  const errors = [...(parsed.success ? [] : issueErrors(parsed.error.issues, at)), ...crossErrors(raw, metrics, at)]
  if (errors.length > 0) return { errors: errors.toSorted((a, b) => a.line - b.line || a.column - b.column) }
  return parsed.success ? { config: parsed.data } : { errors }
}

/** A config that parses as it is written, and where in the file something of it is. */
export function writtenConfig(text: string, fileName: string): { readonly raw: unknown; readonly at: ErrorAt } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  return { raw: document.toJS(), at: positionFinder(document, lines, fileName) }
}

function yamlAdvice(code: string, message: string): string {
  switch (code) {
    case 'DUPLICATE_KEY':
      return 'this key is written twice in the same place; keep one of them'
    case 'TAB_AS_INDENT':
      return 'a tab is used to indent; YAML allows only spaces'
    case 'MULTIPLE_DOCS':
      return 'a second document begins here, but one file is one config; remove this line, or what follows it'
    default:
      return `not valid YAML: ${message}`
  }
}
