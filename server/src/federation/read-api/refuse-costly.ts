import type { Matcher } from '../../dialects/promql.ts'
import { CLUSTER_LABEL } from './choose-clusters.ts'
import { refuseCostlyPatterns, triedOnEmpty } from './label-patterns.ts'
import { OWN_LABEL } from './own-label.ts'
import type { ParsedPromql, Selector } from './parse-promql.ts'

/**
 * Throws `bad_data` where patterns that are tried here, not by a Prometheus, are too costly: those on clusters, and those
 * that tell whether a selector without a name is a choice of everything.
 */
export function refuseCostly(all: readonly ParsedPromql[]): void {
  refuseCostlyPatterns(all.flatMap(({ selectors }) => selectors.flatMap(triedIn)))
}

function triedIn({ named, adding, conditions }: Selector): readonly Matcher[] {
  const matchers = conditions.flatMap(({ matcher }) => matcher ?? [])
  const others = matchers.filter(({ label }) => label !== CLUSTER_LABEL)
  const isNamed = named || adding !== null || matchers.length < conditions.length
  return [
    ...matchers.filter(({ label }) => label === CLUSTER_LABEL || label === OWN_LABEL),
    ...(isNamed ? [] : triedOnEmpty(others)),
  ]
}
