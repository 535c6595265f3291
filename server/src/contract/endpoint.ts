import type { z } from 'zod'

/**
 * One HTTP endpoint as both sides see it: the server mounts it, the web calls it.
 * `path` uses `:name` placeholders; `params` names them in order of appearance.
 */
export interface Endpoint<Query extends z.ZodType, Response extends z.ZodType> {
  readonly path: string
  readonly summary: string
  readonly params: readonly string[]
  readonly query: Query
  readonly response: Response
}

export function endpoint<Query extends z.ZodType, Response extends z.ZodType>(spec: {
  path: string
  summary: string
  query: Query
  response: Response
}): Endpoint<Query, Response> {
  const params = [...spec.path.matchAll(/:([a-zA-Z]+)/g)].map((match) => match[1] ?? '')
  return { ...spec, params }
}
