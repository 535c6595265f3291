import type { WorkloadRef } from '../domain/identity.ts'
import type { Dialect } from './dialect.ts'
import { envoy } from './envoy.ts'
import { hubble } from './hubble.ts'
import { istio, istioRecorded } from './istio.ts'
import { linkerd } from './linkerd.ts'
import { otel } from './otel.ts'
import { renamed } from './renamed.ts'

/**
 * Every dialect Goldseam speaks, the richest first: of several that see one workload the first is believed. A new one
 * is one file, its fixtures, and a line here.
 */
export const dialects: readonly Dialect[] = [linkerd, istio, istioRecorded, envoy, hubble, otel]

/** How one cluster is asked. */
export interface Asking {
  /** Names of dialects; all of them where it is to be found out. */
  readonly named: 'auto' | readonly string[]
  /** The names of the other clusters, which may come and go: mirrored services carry them in theirs. */
  readonly peers: () => readonly string[]
  /** What metrics were renamed or recorded to; of a histogram the name without `_bucket`, `_sum` and `_count`. */
  readonly overrides: Readonly<Record<string, string>>
}

export function dialectsFor({ named, peers, overrides }: Asking): readonly Dialect[] {
  const wanted = named === 'auto' ? dialects : dialects.filter(({ name }) => named.includes(name))
  const asked = wanted.map((dialect) => ({
    ...dialect,
    questions: (windowSeconds: number) => dialect.questions(windowSeconds, peers()),
    edgeQuestion: (windowSeconds: number, callers: readonly WorkloadRef[]) =>
      dialect.edgeQuestion(windowSeconds, callers, peers()),
  }))
  if (Object.keys(overrides).length === 0) return asked
  return asked.map((dialect) => renamed(dialect, (metric) => nameOf(metric, overrides)))
}

function nameOf(metric: string, overrides: Asking['overrides']): string {
  const [, base = metric, part = ''] = /^(.*?)(_bucket|_sum|_count)?$/.exec(metric) ?? []
  const family = overrides[base]
  return overrides[metric] ?? (family === undefined ? metric : `${family}${part}`)
}
