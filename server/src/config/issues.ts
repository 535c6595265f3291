import type { z } from 'zod'
import { AuthFile, TokenFile, WallFile } from './auth-schema.ts'
import type { ConfigError, ConfigPath, ErrorAt } from './config-error.ts'
import { closest } from './did-you-mean.ts'
import { DiscoverFile } from './discover-schema.ts'
import { BasicAuthFile, EndpointFile, OAuth2File } from './endpoint-schema.ts'
import { GoalFile, GoalLatencyFile } from './goal-schema.ts'
import { LinksFile, PreviewFile, ToolFile } from './links-schema.ts'
import {
  AliasFile,
  ClusterFile,
  ConfigShape,
  GroupFile,
  IngressFile,
  LATER_KEYS,
  LimitsFile,
  LogFile,
  RouteFile,
  ServiceFile,
} from './schema.ts'

const BASIC_AUTH = Object.keys(BasicAuthFile.shape)
const OAUTH2 = Object.keys(OAuth2File.shape)

/** The keys of each place, named by the path without list positions. */
export const KNOWN_KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(ConfigShape.shape),
  clusters: Object.keys(ClusterFile.shape),
  'clusters.endpoints': Object.keys(EndpointFile.in.shape),
  'clusters.endpoints.basicAuth': BASIC_AUTH,
  'clusters.endpoints.oauth2': OAUTH2,
  discover: Object.keys(DiscoverFile.shape),
  'discover.basicAuth': BASIC_AUTH,
  'discover.oauth2': OAUTH2,
  'discover.endpoints': Object.keys(EndpointFile.in.shape),
  'discover.endpoints.basicAuth': BASIC_AUTH,
  'discover.endpoints.oauth2': OAUTH2,
  routes: Object.keys(RouteFile.in.shape),
  ingresses: Object.keys(IngressFile.shape),
  services: Object.keys(ServiceFile.shape),
  aliases: Object.keys(AliasFile.shape),
  groups: Object.keys(GroupFile.shape),
  goals: Object.keys(GoalFile.shape),
  'goals.latency': Object.keys(GoalLatencyFile.shape),
  links: Object.keys(LinksFile.shape),
  'links.preview': Object.keys(PreviewFile.shape),
  tools: Object.keys(ToolFile.shape),
  auth: Object.keys(AuthFile.shape),
  'auth.tokens': Object.keys(TokenFile.shape),
  'auth.walls': Object.keys(WallFile.shape),
  log: Object.keys(LogFile.shape),
  limits: Object.keys(LimitsFile.shape),
}

/** Turns what the schema found into errors with a position and advice. */
export function issueErrors(issues: readonly z.core.$ZodIssue[], at: ErrorAt): ConfigError[] {
  return issues.flatMap((issue) => {
    const path: ConfigPath = issue.path.filter((part) => typeof part !== 'symbol')
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => at(path, unknownKey(path, key), key))
    if (issue.code === 'invalid_key')
      return at(path.slice(0, -1), issue.issues[0]?.message ?? issue.message, String(path.at(-1)))
    if (issue.code === 'invalid_union') return at(path, unionAdvice(issue))
    return at(path, missing(issue) ? `is missing; ${issue.message}` : issue.message)
  })
}

function missing(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.input === undefined
}

/** A union's own advice, unless one of its branches knows better (a duration out of range). */
function unionAdvice(issue: z.core.$ZodIssueInvalidUnion): string {
  const custom = issue.errors.flat().find((inner) => inner.code === 'custom')
  return custom?.message ?? issue.message
}

function unknownKey(path: ConfigPath, key: string): string {
  const place = path.filter((part) => typeof part === 'string').join('.')
  if (LATER_KEYS[place]?.includes(key)) return 'not supported by this version yet; remove it'
  const known = KNOWN_KEYS[place] ?? []
  const meant = closest(key, known)
  return meant === null ? `unknown key; known here: ${known.join(', ')}` : `unknown key; did you mean ${meant}?`
}
