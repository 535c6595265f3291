import { literal, type Matcher, selector, sumBy } from '../dialects/promql.ts'
import { type Axis, instantOf } from '../domain/baseline.ts'
import type { WorkloadRef } from '../domain/identity.ts'
import { versionOf } from '../domain/pod-balance.ts'
import { requestsAt } from '../domain/traffic.ts'
import type { PastOf, PodEvent, PodTraffic } from './workload-parts.ts'

/** Pods of another rollout (the template hash in their names) that began to report where others did before. */
export function rolloutEvents(pods: readonly PodTraffic[], workload: string, { axis }: { axis: Axis }): PodEvent[] {
  const firstSteps = new Map<string, number>()
  for (const { name, traffic } of pods) {
    const version = versionOf(name, workload)
    const first = Array.from({ length: axis.steps }, (_, step) => step).find((at) => requestsAt(traffic, at) !== null)
    if (version === null || first === undefined) continue
    firstSteps.set(version, Math.min(first, firstSteps.get(version) ?? first))
  }
  return changesOf(firstSteps, axis, (now, before) => `pods of ${now} began to report (before: ${before})`)
}

/** Containers that run another image than before, by kube-state-metrics; nothing where it tells nothing. */
export async function imageEvents(
  reader: Pick<PastOf, 'past'>,
  { namespace, name }: WorkloadRef,
  axis: Axis,
  signal: AbortSignal,
): Promise<PodEvent[]> {
  const where: Matcher[] = [
    { label: 'namespace', op: '=', value: namespace },
    { label: 'pod', op: '=~', value: `${literal(name)}-.*` },
  ]
  const images = await reader.past.series(
    sumBy(['container', 'image'], selector('kube_pod_container_info', where)),
    axis,
    signal,
  )
  const byContainer = new Map<string, Map<string, number>>()
  for (const { labels, values } of images ?? []) {
    const first = values.findIndex((value) => !Number.isNaN(value))
    const known = byContainer.get(labels.container ?? '') ?? new Map<string, number>()
    if (first >= 0) byContainer.set(labels.container ?? '', known.set(labels.image ?? '', first))
  }
  return [...byContainer].flatMap(([container, firstSteps]) =>
    changesOf(firstSteps, axis, (now, before) => `${container} runs ${now} (before: ${before})`),
  )
}

/** What is new after the first step, where something else was there before it. */
function changesOf(
  firstSteps: ReadonlyMap<string, number>,
  axis: Axis,
  words: (now: string, before: string) => string,
): PodEvent[] {
  return [...firstSteps].flatMap(([now, step]) => {
    const [before] = [...firstSteps].filter(([, other]) => other < step).sort(([, a], [, b]) => b - a)[0] ?? []
    if (before === undefined || step === 0) return []
    return [{ atSeconds: instantOf(axis, step), kind: 'rollout' as const, text: words(now, before) }]
  })
}
