import type { ConfigError, ConfigPath, ErrorAt } from './config-error.ts'
import { closest } from './did-you-mean.ts'
import { list, record } from './raw.ts'

/** Under another name a metric is only looked for where somebody asks for it: a name that nobody asks for is a slip. */
export function overrideErrors(
  file: Record<string, unknown>,
  metrics: ReadonlySet<string>,
  at: ErrorAt,
): ConfigError[] {
  return ['clusters', 'discover'].flatMap((key) =>
    list(file[key]).flatMap((entry, index) => {
      const path: ConfigPath = [key, index, 'overrides']
      return Object.keys(record(record(entry).overrides)).flatMap((name) =>
        metrics.has(name)
          ? []
          : [at(path, `no metric of a mesh that Goldseam reads is named '${name}'; ${advice(name, metrics)}`, name)],
      )
    }),
  )
}

function advice(name: string, metrics: ReadonlySet<string>): string {
  const meant = closest(name, [...metrics])
  return meant === null
    ? 'write the name that the mesh gives it, and after it the one it has in your Prometheus (those of kube-state-metrics and ingress controllers cannot be renamed)'
    : `did you mean ${meant}?`
}
