import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Another tool's page about a workload or a cluster, as a URL with placeholders such as `{namespace}`. */
export const Tool = z
  .object({
    name: z.string(),
    url: z.string(),
    for: z.enum(['workload', 'cluster']),
    /** Globs; empty: all. */
    clusters: z.array(z.string()),
    /** Globs over `cluster/namespace/name`; empty: all. */
    workloads: z.array(z.string()),
  })
  .meta({ id: 'Tool' })
export type Tool = z.infer<typeof Tool>

export const tools = endpoint({
  path: '/api/v1/tools',
  summary: 'Other tools that know the same workloads and clusters',
  query: z.object({}).meta({ id: 'ToolsQuery' }),
  response: z.object({ tools: z.array(Tool) }).meta({ id: 'Tools' }),
})
