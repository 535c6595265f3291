import type { Dialect } from './dialect.ts'
import { dialects } from './registry.ts'

const METRIC = /(?<![\w:])([a-zA-Z_:][\w:]*)\{/g

/** Every metric that some dialect reads, and of histograms what their parts have in common: what may be renamed. */
export function metricsRead(): ReadonlySet<string> {
  const names = dialects.flatMap((dialect) => questionsOf(dialect).flatMap((promql) => [...promql.matchAll(METRIC)]))
  return new Set(names.flatMap(([, name = '']) => [name, name.replace(/_(bucket|sum|count)$/, '')]))
}

function questionsOf(dialect: Dialect): string[] {
  const some = [{ cluster: '', namespace: 'a', kind: 'deployment', name: 'a' }]
  const one = [dialect.edgeQuestion(60, some)].flatMap((question) => question ?? [])
  return [...dialect.questions(60), ...one].map(({ promql }) => promql)
}
