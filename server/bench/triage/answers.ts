import type { SeriesColumn } from '../../src/dialects/dialect.ts'
import { type LabelsApart, labelsApart } from '../../src/domain/apart.ts'
import { firstAfter, rateAt } from './rates.ts'
import type { Flow, Recording, SimCall, SimWorkload } from './sim/types.ts'

/** Instants that are asked about, and over how long a window rates are taken. */
export interface Steps {
  readonly instants: readonly number[]
  readonly windowSeconds: number
}

type Labels = Record<string, string>

/**
 * What a cluster's Prometheus answers to the questions of the Linkerd dialect about the recorded scrapes: sums of
 * `rate()` by the labels that proxies of 2.17 write. Latencies without their buckets, which no verdict needs.
 */
export function answersOf(
  recording: Recording,
  cluster: number,
  { instants, windowSeconds }: Steps,
): Map<string, SeriesColumn[]> {
  const answers = new Answers(instants.length)
  const { world, scrapes } = recording
  for (const flow of recording.flows) {
    const workload = world.workloads[flow.workload] as SimWorkload
    if (workload.cluster !== cluster) continue
    const times = scrapes[flow.workload]?.[flow.pod] ?? []
    const spans = instants.map((at): [number, number] => [
      firstAfter(times, at - windowSeconds),
      firstAfter(times, at) - 1,
    ])
    const column = (values: readonly number[], factor: number, fromBirth: boolean) =>
      Float64Array.from(instants, (at, step) => {
        const [first, last] = spans[step] as [number, number]
        const from = Math.max(first, flow.firstScrape)
        const rate = rateAt(times, shifted(values, flow.firstScrape), from, last, at, windowSeconds)
        // The first failure ever is an increase too: the dialect asks for it, so that it has to be in the answer.
        const born = fromBirth && first <= flow.firstScrape && flow.firstScrape <= last ? (values[0] ?? 0) : 0
        return (Number.isNaN(rate) ? (born > 0 ? 0 : Number.NaN) : rate * 1) * factor + (born * factor) / windowSeconds
      })
    put(answers, recording, flow, column)
  }
  for (const workload of world.workloads) {
    if (workload.cluster !== cluster || !workload.meshed) continue
    const pods = Float64Array.from(instants, (at) => {
      const alive = (scrapes[workload.index] ?? []).filter((times) => {
        const last = times[firstAfter(times, at) - 1]
        return last !== undefined && at - last < STALE_SECONDS
      })
      return alive.length === 0 ? Number.NaN : alive.length
    })
    answers.add('pods', own(workload), pods)
  }
  return answers.all()
}

/** A target that is gone is marked stale by the next scrape or discovery. */
const STALE_SECONDS = 45

const shiftedBy = new WeakMap<readonly number[], readonly number[]>()

/** Aligned with the pod's scrapes: nothing was there before the flow was first counted. */
function shifted(values: readonly number[], by: number): readonly number[] {
  if (by === 0) return values
  let known = shiftedBy.get(values)
  if (known === undefined) {
    known = [...new Array<number>(by).fill(Number.NaN), ...values]
    shiftedBy.set(values, known)
  }
  return known
}

class Answers {
  readonly #steps: number
  readonly #series = new Map<string, Map<string, LabelsApart & { readonly values: Float64Array }>>()

  constructor(steps: number) {
    this.#steps = steps
  }

  add(question: string, labels: Labels, values: Float64Array): void {
    let series = this.#series.get(question)
    if (series === undefined) {
      series = new Map()
      this.#series.set(question, series)
    }
    const key = Object.values(labels).join('|')
    let sum = series.get(key)
    if (sum === undefined) {
      sum = { ...labelsApart(labels), values: new Float64Array(this.#steps).fill(Number.NaN) }
      series.set(key, sum)
    }
    for (let step = 0; step < this.#steps; step += 1) {
      const value = values[step] as number
      if (Number.isNaN(value)) continue
      const before = sum.values[step] as number
      sum.values[step] = Number.isNaN(before) ? value : before + value
    }
  }

  all(): Map<string, SeriesColumn[]> {
    return new Map([...this.#series].map(([question, series]) => [question, [...series.values()]]))
  }
}

type Read = (values: readonly number[], factor: number, fromBirth: boolean) => Float64Array

const MILLISECONDS = 1_000

function put(answers: Answers, { world }: Recording, flow: Flow, column: Read): void {
  const workload = world.workloads[flow.workload] as SimWorkload
  const call = flow.call === null ? null : (world.calls[flow.call] as SimCall)
  const labels =
    flow.direction === 'inbound'
      ? { ...own(workload), ...arriving(world, workload, call) }
      : { ...own(workload), ...leaving(world, workload, call as SimCall) }
  const succeeded = column(flow.succeeded, 1, false)
  const seconds = column(flow.seconds, 1, false)
  // Series are born with their first increment: a flow that never failed has none.
  const everFailed = (flow.failed.at(-1) ?? 0) > 0
  const failed = everFailed ? column(flow.failed, 1, (flow.failed[0] ?? 0) > 0) : null
  const count = failed === null ? succeeded : succeeded.map((value, step) => added(value, failed[step] as number))
  const milliseconds = seconds.map((value) => value * MILLISECONDS)
  const [counts, time] = flow.direction === 'inbound' ? ['inbound', 'inboundTime'] : ['outbound', 'outboundTime']
  answers.add(counts, { ...labels, classification: 'success' }, succeeded)
  if (failed !== null) answers.add(counts, { ...labels, classification: 'failure' }, failed)
  answers.add(time, { ...labels, part: 'sum' }, milliseconds)
  answers.add(time, { ...labels, part: 'count' }, count)
  if (flow.direction === 'inbound' || call?.style !== 'ingress') return
  const route = { ...own(workload), hostname: call.host ?? '' }
  answers.add('egress', { ...route, part: 'status', http_status: '200', error: '' }, succeeded)
  if (failed !== null) answers.add('egress', { ...route, part: 'status', http_status: '500', error: '' }, failed)
  answers.add('egress', { ...route, part: 'sum', http_status: '', error: '' }, seconds)
  answers.add('egress', { ...route, part: 'count', http_status: '', error: '' }, count)
}

function added(a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : a + b
}

function own({ namespace, name }: SimWorkload): Labels {
  return { namespace, deployment: name }
}

function identity({ account, namespace }: SimWorkload, cluster: string): string {
  return `${account}.${namespace}.serviceaccount.identity.linkerd.${cluster}.local`
}

const service = ({ name, namespace }: SimWorkload) => `${name}.${namespace}.svc.cluster.local:8080`

/** The callee's labels: who asked, and for whom. An ingress speaks for the callers behind it. */
function arriving(world: Recording['world'], workload: SimWorkload, call: SimCall | null): Labels {
  if (call === null) return { authority: service(workload), client_id: '' }
  if (call.style === 'ingress') return { authority: call.host ?? '', client_id: '' }
  const from = world.workloads[call.from] as SimWorkload
  const client = identity(from, world.clusters[from.cluster]?.name ?? '')
  return { authority: call.style === 'forward' ? (call.host ?? '') : service(workload), client_id: client }
}

/** The caller's labels: a pod of its own cluster, a mirrored service, or an address outside. */
function leaving(world: Recording['world'], from: SimWorkload, call: SimCall): Labels {
  const to = world.workloads[call.to] as SimWorkload
  const cluster = world.clusters[to.cluster]?.name ?? ''
  if (call.style === 'ingress') return { target_addr: addressOf(to.cluster), authority: '' }
  if (call.style === 'mirror') {
    const mirror = `${to.name}-${cluster}`
    return {
      authority: `${mirror}.${to.namespace}.svc.cluster.local:8080`,
      dst_namespace: to.namespace,
      dst_service: mirror,
      dst_target_cluster: cluster,
      dst_target_service: to.name,
      dst_target_service_namespace: to.namespace,
      server_id: `gateway.linkerd.${cluster}`,
    }
  }
  if (!to.meshed)
    return { authority: service(to), dst_namespace: to.namespace, dst_service: to.name, dst_deployment: to.name }
  return {
    ...(call.style === 'forward' || from.cluster !== to.cluster ? {} : { authority: service(to) }),
    dst_namespace: to.namespace,
    dst_service: to.name,
    dst_deployment: to.name,
    server_id: identity(to, cluster),
  }
}

export function addressOf(cluster: number): string {
  return `203.0.113.${cluster + 1}:80`
}
