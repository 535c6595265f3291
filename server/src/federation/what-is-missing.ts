import type { Observation } from '../domain/observation.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import type { Answered } from './ask-now.ts'
import { clockTrouble } from './clock-trouble.ts'
import type { Detection } from './detection.ts'
import type { Gap } from './snapshot.ts'
import { troubleOf } from './store-trouble.ts'

/** What a cluster that answers left open. `clockSkewSeconds`: how far its clock is ahead of ours; null: not known. */
interface LeftOpen extends Pick<Answered, 'warnings' | 'failures'> {
  readonly history: { readonly observation: Observation | null } | { readonly error: UpstreamError }
  readonly clockSkewSeconds: number | null
  readonly detection: Pick<Detection, 'oddities' | 'dialects' | 'foundNothing'>
}

/** What is missing of a cluster that answers, each since then (unix seconds); `partial`: of its present. */
export function whatIsMissing(
  cluster: string,
  { warnings, failures, history, clockSkewSeconds, detection }: LeftOpen,
  sinceSeconds: number,
): { readonly gaps: readonly Gap[]; readonly partial: boolean } {
  const gaps: Gap[] = []
  const gap = (what: string, why: string, detail: string) => gaps.push({ cluster, what, why, detail, sinceSeconds })
  for (const warning of warnings) gap('completeness', ...troubleOf(warning))
  const failed = new Map(failures.map(({ question, error }) => [question, error]))
  for (const [question, error] of failed) gap(question, error.kind, error.message)
  const skew = clockTrouble(clockSkewSeconds)
  if (skew !== null) gap('freshness', 'clock', skew)
  const partial = gaps.length > 0
  for (const { what, why, detail } of detection.oddities) gap(what, why, detail)
  if ('error' in history) gap('history', history.error.kind, history.error.message)
  if (detection.dialects.length === 0) gap('mesh metrics', 'no such metric', detection.foundNothing)
  return { gaps, partial }
}
