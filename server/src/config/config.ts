import { isAlias, isMap, LineCounter, parseDocument } from 'yaml'
import { type ConfigError, positionFinder } from './config-error.ts'
import { crossErrors } from './cross-checks.ts'
import { issueErrors } from './issues.ts'
import type { Listen } from './listen.ts'
import { ConfigFile } from './schema.ts'

export type { ConfigError } from './config-error.ts'
export type { Listen } from './listen.ts'

export type DialectName = 'linkerd'
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** How Goldseam proves who it is; secrets stay in their files. Paths are as written in the config. */
export type EndpointAuth =
  | { readonly kind: 'none' }
  | { readonly kind: 'bearer'; readonly tokenFile: string }
  | { readonly kind: 'basic'; readonly username: string; readonly passwordFile: string }

export interface EndpointConfig {
  /** http(s), without credentials, query or trailing slash; the path is the API's prefix. */
  readonly url: string
  readonly auth: EndpointAuth
  readonly headers: Readonly<Record<string, string>>
  readonly caFile: string | null
  readonly timeoutSeconds: number
}

export interface ClusterConfig {
  readonly name: string
  /** Replicas that hold the same data: the first good answer wins, never added up. */
  readonly endpoints: readonly EndpointConfig[]
  readonly dialects: 'auto' | readonly DialectName[]
}

/** A destination no metric explains: calls to this host or address (globs) reach the workload `to`. */
export interface RouteConfig {
  readonly match: { readonly kind: 'host' | 'address'; readonly glob: string }
  /** `cluster/namespace/name` or `cluster/namespace/kind:name`. */
  readonly to: string
}

export interface IngressConfig {
  readonly cluster: string
  /** `namespace/name` or `namespace/kind:name`. */
  readonly workload: string
  readonly addresses: readonly string[]
  readonly hosts: readonly string[]
}

export interface LimitsConfig {
  readonly maxResponseBytes: number
  readonly maxSeries: number
  readonly queryTimeoutSeconds: number
  /** How long last good values stand in for a cluster that does not answer. */
  readonly lastGoodForSeconds: number
}

export interface Config {
  readonly listen: Listen
  readonly refreshSeconds: number
  /** Null: chosen from the scrape intervals. */
  readonly rateWindowSeconds: number | null
  readonly clusters: readonly ClusterConfig[]
  readonly routes: readonly RouteConfig[]
  readonly ingresses: readonly IngressConfig[]
  /** `none`: the operator said that everybody who reaches the port may look. */
  readonly auth: 'none' | null
  readonly log: { readonly level: LogLevel }
  readonly limits: LimitsConfig
}

export type ParsedConfig = { readonly config: Config } | { readonly errors: readonly ConfigError[] }

/** Reads a config file's text. Pure: secret files are only named, not read. Every error is reported, in file order. */
export function parseConfig(text: string, fileName: string): ParsedConfig {
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
  const raw: unknown = document.toJS()
  const parsed = ConfigFile.safeParse(raw, { reportInput: true })
  const errors = [...(parsed.success ? [] : issueErrors(parsed.error.issues, at)), ...crossErrors(raw, at)]
  if (errors.length > 0) return { errors: errors.toSorted((a, b) => a.line - b.line || a.column - b.column) }
  return parsed.success ? { config: parsed.data } : { errors }
}

function yamlAdvice(code: string, message: string): string {
  switch (code) {
    case 'DUPLICATE_KEY':
      return 'this key is written twice in the same place; keep one of them'
    case 'TAB_AS_INDENT':
      return 'a tab is used to indent; YAML allows only spaces'
    default:
      return `not valid YAML: ${message}`
  }
}
