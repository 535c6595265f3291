import { PERCENTILES } from '../../src/domain/golden.ts'

const KINDS = ['deployment', 'statefulset', 'daemonset', 'cronjob', 'k8s_job', 'replicaset', 'replicationcontroller']
/** Written out by hand, not taken from the dialect: it is what the dialect is held against. */
export const INBOUND = 'direction="inbound",target_port!="4191",route_name!="probe"'
export const OUTBOUND = 'direction="outbound",dst_namespace!=""'
export const WORKLOAD = ['namespace', ...KINDS]

export interface Answer {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Asks a Prometheus or Thanos Query directly, without any code of Goldseam. */
export async function askDirectly(
  url: string,
  promql: string,
  atSeconds: number,
  more: Readonly<Record<string, string>> = {},
): Promise<readonly Answer[]> {
  const body = new URLSearchParams({ query: promql, time: String(atSeconds), ...more })
  const response = await fetch(`${url}/api/v1/query`, { method: 'POST', body })
  const answer = (await response.json()) as {
    status: string
    error?: string
    data?: { result: { metric: Record<string, string>; value: [number, string] }[] }
  }
  if (answer.data === undefined) throw new Error(`${promql}: ${answer.error}`)
  return answer.data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }))
}

/** Seven numbers of every flow, as PromQL computes them: flow -> number's name -> value (NaN where PromQL says so). */
export type Theirs = ReadonlyMap<string, ReadonlyMap<string, number>>

/** The server, time and window. */
export interface Asked {
  readonly url: string
  readonly atSeconds: number
  readonly windowSeconds: number
}

/** Which series make up a flow, and what it is called. */
export interface Side {
  readonly matchers: string
  readonly by: readonly string[]
  readonly keyOf: (labels: Readonly<Record<string, string>>) => string
  readonly requests: string
  /** Conditions of those that went well. */
  readonly good: string
  readonly latency: string
  /** How many of the histogram's units are a second. */
  readonly perSecond: number
  /** False where Goldseam does not ask for buckets. */
  readonly percentiles: boolean
  /** Makes labels of `by` that the series do not have. */
  readonly relabelled?: (rates: string) => string
}

export const RESPONSES = {
  requests: 'response_total',
  good: 'classification="success"',
  latency: 'response_latency_ms',
  perSecond: 1_000,
  percentiles: true,
}
export const CALLEE = ['dst_namespace', ...KINDS.map((kind) => `dst_${kind}`)]

/** `where` narrows the series. */
export function goldenOf(asked: Asked, side: 'inbound' | 'calls', where = ''): Promise<Theirs> {
  const inbound = side === 'inbound'
  return goldenBy(asked, {
    ...RESPONSES,
    matchers: `${inbound ? INBOUND : OUTBOUND}${where === '' ? '' : `,${where}`}`,
    by: inbound ? WORKLOAD : [...WORKLOAD, ...CALLEE],
    keyOf: (labels) => (inbound ? workloadKey(labels) : `${workloadKey(labels)} > ${workloadKey(labels, 'dst_')}`),
  })
}

export async function goldenBy(asked: Asked, side: Side): Promise<Theirs> {
  const { matchers, by, keyOf, requests, latency, relabelled = (rates) => rates } = side
  const rate = (metric: string, more = '') => relabelled(`rate(${metric}{${matchers}${more}}[${asked.windowSeconds}s])`)
  const sum = (what: string, labels = by) => `sum by (${labels.join(',')}) (${what})`
  const all = sum(rate(requests))
  const good = sum(rate(requests, `,${side.good}`))
  const mean = `${sum(rate(`${latency}_sum`))} / ${sum(rate(`${latency}_count`))}`
  const percentiles = PERCENTILES.map(({ name, q }): [string, string] => [
    name,
    `histogram_quantile(${q}, ${sum(rate(`${latency}_bucket`), [...by, 'le'])}) / ${side.perSecond}`,
  ])
  const queries: [string, string][] = [
    ['rps', all],
    ['success', `${good} / ${all}`],
    ['mean', `${mean} / ${side.perSecond}`],
    ...(side.percentiles ? percentiles : []),
  ]
  const found = new Map<string, Map<string, number>>()
  const answers = await Promise.all(
    queries.map(async ([name, promql]) => ({ name, answer: await askDirectly(asked.url, promql, asked.atSeconds) })),
  )
  for (const { name, answer } of answers) {
    for (const { labels, value } of answer) {
      const key = keyOf(labels)
      const numbers = found.get(key) ?? new Map<string, number>()
      if (numbers.has(name)) throw new Error(`${key} was answered twice: ${name}`)
      found.set(key, numbers.set(name, value))
    }
  }
  return found
}

export function workloadKey(labels: Readonly<Record<string, string>>, prefix: '' | 'dst_' = ''): string {
  const kind = KINDS.find((label) => labels[prefix + label]) ?? ''
  return `${labels[`${prefix}namespace`]}/${kind}/${labels[prefix + kind]}`
}
