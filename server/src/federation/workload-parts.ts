import { literal, type Matcher, selector, sumBy } from '../dialects/promql.ts'
import type { Axis } from '../domain/baseline.ts'
import { instantOf } from '../domain/baseline.ts'
import type { Values } from '../domain/columns.ts'
import type { WorkloadRef } from '../domain/identity.ts'
import type { Observation } from '../domain/observation.ts'
import { emptyTraffic, requestsAt, type Traffic } from '../domain/traffic.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import type { ClusterPast } from './cluster-past.ts'
import type { Gap } from './snapshot.ts'

/** A cluster as far as its past is asked for. */
export interface PastOf {
  readonly name: string
  readonly past: ClusterPast
}

/** Columns of a heatmap, points of a pod's line: more are not told apart on a screen. */
const MOST_STEPS = 120
/** Intervals shown, and those before them that the first is held against. */
export const INTERVALS_SHOWN = 20
const INTERVALS_BEFORE = 6
const LEAST_INTERVAL_SECONDS = 10
const ROUND_SECONDS = [10, 15, 20, 30, 60, 120, 300, 600]

/** An axis of at most 120 steps up to an instant (unix seconds), each at least half a rate window. */
export function partsAxis(fromSeconds: number, toSeconds: number, windowSeconds: number): Axis {
  const stepSeconds = Math.max(Math.ceil(windowSeconds / 2), Math.ceil((toSeconds - fromSeconds) / MOST_STEPS))
  const last = Math.floor(toSeconds / stepSeconds) * stepSeconds
  const steps = Math.max(1, Math.floor((last - fromSeconds) / stepSeconds) + 1)
  return { fromSeconds: last - (steps - 1) * stepSeconds, stepSeconds, steps }
}

/**
 * Intervals as short as the scrapes allow (a rate needs two samples, and some slack), one after the other without
 * overlap.
 */
export function intervalAxis(toSeconds: number, scrapeSeconds: number | null): Axis {
  const least = Math.max(LEAST_INTERVAL_SECONDS, 2 * (scrapeSeconds ?? 15))
  const stepSeconds = ROUND_SECONDS.find((seconds) => seconds >= least) ?? least
  const last = Math.floor(toSeconds / stepSeconds) * stepSeconds
  const steps = INTERVALS_SHOWN + INTERVALS_BEFORE
  return { fromSeconds: last - (steps - 1) * stepSeconds, stepSeconds, steps }
}

export interface Part {
  readonly traffic: Traffic
  readonly gaps: readonly Gap[]
}

/** One workload's own traffic on an axis; empty, with a gap, where its cluster did not answer. */
export async function workloadTraffic(
  reader: PastOf,
  workload: WorkloadRef,
  id: string,
  stretch: { readonly axis: Axis; readonly windowSeconds: number },
  signal: AbortSignal,
): Promise<Part> {
  const read = await reader.past.workload(workload, stretch, signal)
  const { axis } = stretch
  if ('error' in read) return { traffic: emptyTraffic(axis.steps), gaps: [gapOf(reader.name, read.error, axis)] }
  return { traffic: read.inbound.get(id)?.total ?? emptyTraffic(axis.steps), gaps: [] }
}

export interface PodTraffic {
  readonly name: string
  readonly traffic: Traffic
}

/** Every pod of a workload, by name; `reason` in words where they cannot be told apart. */
export async function podTraffics(
  reader: PastOf,
  workload: WorkloadRef,
  stretch: { readonly axis: Axis; readonly windowSeconds: number },
  signal: AbortSignal,
): Promise<{ readonly pods: readonly PodTraffic[]; readonly reason: string | null; readonly gaps: readonly Gap[] }> {
  const read = await reader.past.pods(workload, stretch, signal)
  if (read === null) return { pods: [], reason: "this mesh's metrics do not tell pods apart", gaps: [] }
  if ('error' in read) return { pods: [], reason: null, gaps: [gapOf(reader.name, read.error, stretch.axis)] }
  const pods = [...read.inbound.values()].map(({ workload: { name }, total }) => ({ name, traffic: total }))
  return { pods: pods.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })), reason: null, gaps: [] }
}

function gapOf(cluster: string, { kind, message }: UpstreamError, axis: Axis): Gap {
  return { cluster, what: 'series', why: kind, detail: message, sinceSeconds: instantOf(axis, axis.steps - 1) }
}

export interface PodEvent {
  readonly atSeconds: number
  readonly kind: 'podStarted' | 'podStopped' | 'restart' | 'rollout' | 'scale'
  readonly text: string
}

/** Pods that began or ceased to report inside the stretch. The first and the last step tell nothing: what is before or after is not known. */
export function podEvents(pods: readonly PodTraffic[], axis: Axis): PodEvent[] {
  return pods.flatMap(({ name, traffic }) => {
    const seen = Array.from({ length: axis.steps }, (_, step) => requestsAt(traffic, step) !== null)
    const [first, last] = [seen.indexOf(true), seen.lastIndexOf(true)]
    const events: PodEvent[] = []
    if (first > 0)
      events.push({ atSeconds: instantOf(axis, first), kind: 'podStarted', text: `${name} began to report` })
    if (last >= 0 && last < axis.steps - 1)
      events.push({ atSeconds: instantOf(axis, last), kind: 'podStopped', text: `${name} no longer reports` })
    return events
  })
}

/** What kube-state-metrics tells of a workload's pods: restarts and replicas. Null where it tells nothing. */
export async function kubeEvents(
  reader: Pick<PastOf, 'past'>,
  { namespace, kind, name }: WorkloadRef,
  axis: Axis,
  signal: AbortSignal,
): Promise<readonly PodEvent[] | null> {
  const inNamespace: Matcher = { label: 'namespace', op: '=', value: namespace }
  const restarts = sumBy(
    ['pod', 'container'],
    selector('kube_pod_container_status_restarts_total', [
      inNamespace,
      { label: 'pod', op: '=~', value: `${literal(name)}-.*` },
    ]),
  )
  const counted = { deployment: 'kube_deployment_spec_replicas', statefulset: 'kube_statefulset_replicas' }[kind]
  const replicas =
    counted === undefined
      ? null
      : sumBy([kind], selector(counted, [inNamespace, { label: kind, op: '=', value: name }]))
  const [restarted, scaled] = await Promise.all([
    reader.past.series(restarts, axis, signal),
    replicas === null ? null : reader.past.series(replicas, axis, signal),
  ])
  if ((restarted?.length ?? 0) === 0 && (scaled?.length ?? 0) === 0) return null
  const changes = (values: Values, word: (before: number, now: number, at: number) => PodEvent | null) =>
    [...values].flatMap((now, step) => {
      const before = values[step - 1] ?? Number.NaN
      const event =
        now === before || Number.isNaN(now) || Number.isNaN(before) ? null : word(before, now, instantOf(axis, step))
      return event === null ? [] : [event]
    })
  return [
    ...(restarted ?? []).flatMap(({ labels, values }) =>
      changes(values, (before, now, atSeconds) =>
        now > before
          ? {
              atSeconds,
              kind: 'restart',
              text: `${labels.pod ?? ''} restarted its container ${labels.container ?? ''}`,
            }
          : null,
      ),
    ),
    ...(scaled ?? []).flatMap(({ values }) =>
      changes(values, (before, now, atSeconds) => ({
        atSeconds,
        kind: 'scale',
        text: `scaled from ${before} to ${now} replicas`,
      })),
    ),
  ]
}

/** Only to be read: which workloads of an observation lie in a place. */
export function inboundIn(
  { inbound }: Observation,
  { namespace, name }: { readonly namespace: string | null; readonly name: string | null },
): readonly { readonly id: string; readonly ref: WorkloadRef; readonly traffic: Traffic }[] {
  return [...inbound].flatMap(([id, { workload, total }]) => {
    const local = id.split('/').slice(2).join('/')
    if (namespace !== null && workload.namespace !== namespace) return []
    return name !== null && local !== name ? [] : [{ id, ref: workload, traffic: total }]
  })
}
