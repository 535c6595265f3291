import { PERCENTILES } from '../../src/domain/golden.ts'

const KINDS = ['deployment', 'statefulset', 'daemonset', 'cronjob', 'k8s_job', 'replicaset', 'replicationcontroller']
/** Written out by hand, not taken from the dialect: it is what the dialect is held against. */
export const INBOUND = 'direction="inbound",target_port!="4191",route_name!="probe"'
const OUTBOUND = 'direction="outbound",dst_namespace!=""'
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

/** `where` narrows the series, `by` names a flow; `asked` is the server, time and window. */
export async function goldenOf(
  asked: { readonly url: string; readonly atSeconds: number; readonly windowSeconds: number },
  side: 'inbound' | 'calls',
  where = '',
): Promise<Theirs> {
  const by = side === 'inbound' ? WORKLOAD : [...WORKLOAD, 'dst_namespace', ...KINDS.map((kind) => `dst_${kind}`)]
  const matchers = `${side === 'inbound' ? INBOUND : OUTBOUND}${where === '' ? '' : `,${where}`}`
  const rate = (metric: string, more = '') => `rate(${metric}{${matchers}${more}}[${asked.windowSeconds}s])`
  const sum = (what: string, labels = by) => `sum by (${labels.join(',')}) (${what})`
  const all = sum(rate('response_total'))
  const good = sum(rate('response_total', ',classification="success"'))
  const queries: [string, string][] = [
    ['rps', all],
    ['success', `${good} / ${all}`],
    ['mean', `${sum(rate('response_latency_ms_sum'))} / ${sum(rate('response_latency_ms_count'))} / 1000`],
    ...PERCENTILES.map(({ name, q }): [string, string] => [
      name,
      `histogram_quantile(${q}, ${sum(rate('response_latency_ms_bucket'), [...by, 'le'])}) / 1000`,
    ]),
  ]
  const found = new Map<string, Map<string, number>>()
  const answers = await Promise.all(
    queries.map(async ([name, promql]) => ({ name, answer: await askDirectly(asked.url, promql, asked.atSeconds) })),
  )
  for (const { name, answer } of answers) {
    for (const { labels, value } of answer) {
      const key = side === 'inbound' ? keyOf(labels, '') : `${keyOf(labels, '')} > ${keyOf(labels, 'dst_')}`
      const numbers = found.get(key) ?? new Map<string, number>()
      if (numbers.has(name)) throw new Error(`${key} was answered twice: ${name}`)
      found.set(key, numbers.set(name, value))
    }
  }
  return found
}

function keyOf(labels: Readonly<Record<string, string>>, prefix: '' | 'dst_'): string {
  const kind = KINDS.find((label) => labels[prefix + label]) ?? ''
  return `${labels[`${prefix}namespace`]}/${kind}/${labels[prefix + kind]}`
}
