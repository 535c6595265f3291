import type { ConfigError, ConfigPath, ErrorAt } from './config-error.ts'
import { PLACEHOLDERS } from './links-schema.ts'

const OF_WORKLOADS: ReadonlySet<string> = new Set(
  PLACEHOLDERS.workload.filter((name) => !PLACEHOLDERS.cluster.some((other) => other === name)),
)

/** A link from a cluster's page has no workload to name. */
export function toolErrors(tool: Record<string, unknown>, path: ConfigPath, at: ErrorAt): ConfigError[] {
  const { url } = tool
  if (tool.for !== 'cluster' || typeof url !== 'string') return []
  const names = [...url.matchAll(/\{([^{}]*)\}/g)].flatMap(([, name = '']) => (OF_WORKLOADS.has(name) ? [name] : []))
  return [...new Set(names)].map((name) =>
    at([...path, 'url'], `{${name}} is of a workload; use for: workload, or only {cluster} and times`),
  )
}
