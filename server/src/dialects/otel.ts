import type { Dialect, Question } from './dialect.ts'
import { labelUses } from './otel/label-uses.ts'
import { GRAPH, NAMESPACES, SERVER_ERROR, SERVICE, SPANS, spanFamilies } from './otel/labels.ts'
import { reading } from './otel/read.ts'
import { aggregate, anyOf, type Matcher, rate, selector, sumBy, tagged, timeOf, union, within } from './promql.ts'

const TOTAL = 'traces_service_graph_request_total'

/**
 * Metrics made out of traces: the service graph of the OpenTelemetry Collector and of Tempo, the spans of both. They
 * know services rather than workloads, and as much of the traffic as is sampled.
 */
export const otel: Dialect = {
  name: 'otel',
  detectedBy: [TOTAL, ...spanFamilies.map(({ calls }) => calls)],
  countsFirstFailures: false,
  sampled: true,
  labelUses,
  limits: [
    { about: 'sampling', text: 'traces may be sampled: rates are lower bounds' },
    {
      about: 'cluster',
      text: 'services have no cluster, and no namespace unless somebody added it: of one name they are one',
    },
    { about: 'pods', text: 'pods are not told apart' },
    { about: 'latency', text: 'numbers are made about once a minute: a rate window below 2 minutes jumps' },
  ],

  questions(windowSeconds) {
    const graph = (metric: string, by: readonly string[]) => sumBy(by, rate(selector(metric, []), windowSeconds))
    const spans = (ask: (family: (typeof spanFamilies)[number]) => string) =>
      union(...spanFamilies.map((family) => tagged('family', family.name, ask(family))))
    const duration = (family: (typeof spanFamilies)[number], by: readonly string[], part: string) =>
      sumBy(by, rate(selector(`${family.duration}_${part}`, SPANS), windowSeconds))
    const seconds = (end: string) => `traces_service_graph_request_${end}_seconds`
    const served = (which: readonly Matcher[]) =>
      sumBy([...SERVER, 'le'], rate(selector(`${seconds('server')}_bucket`, which), windowSeconds))
    const questions: Question[] = [
      // Who calls whom, and how often that fails.
      {
        name: 'graph',
        promql: union(
          tagged('part', 'total', graph(TOTAL, GRAPH)),
          tagged('part', 'failed', graph('traces_service_graph_request_failed_total', GRAPH)),
        ),
        lane: 'fast',
      },
      // Means of both ends; and whether `_seconds` holds milliseconds, as older collectors write them.
      {
        name: 'graphTime',
        promql: union(
          ...['server', 'client'].map((end) =>
            tagged(
              'end',
              end,
              timeOf(seconds(end), (metric) => graph(metric, GRAPH)),
            ),
          ),
          tagged('part', 'legacy', aggregate('count', [], selector(`${seconds('server')}_bucket`, [LONG]))),
        ),
        lane: 'fast',
      },
      // Percentiles of services that only the graph knows, of the requests that it counts for them.
      {
        name: 'graphBuckets',
        promql: union(
          served([{ label: 'connection_type', op: '!~', value: 'virtual_node|database|messaging_system' }]),
          tagged('client', 'user', served(OUTSIDE)),
        ),
        lane: 'slow',
      },
      // Requests that services serve, whoever calls.
      {
        name: 'spans',
        promql: union(
          tagged(
            'class',
            'passed',
            spans(({ calls }) =>
              sumBy(SERVICE, rate(selector(calls, [...SPANS, { ...SERVER_ERROR, op: '!=' }]), windowSeconds)),
            ),
          ),
          tagged(
            'class',
            'failed',
            spans(({ calls }) => sumBy(SERVICE, rate(selector(calls, [...SPANS, SERVER_ERROR]), windowSeconds))),
          ),
        ),
        lane: 'fast',
      },
      {
        name: 'spanTime',
        promql: spans((family) =>
          union(...['sum', 'count'].map((part) => tagged('part', part, duration(family, SERVICE, part)))),
        ),
        lane: 'fast',
      },
      { name: 'spanBuckets', promql: spans((family) => duration(family, [...SERVICE, 'le'], 'bucket')), lane: 'slow' },
    ]
    return questions
  },

  /** By the names that services go by: of one name in several namespaces all are asked. */
  workloadQuestions(windowSeconds, workloads) {
    if (workloads.length === 0) return []
    const names = workloads.map(({ name }) => name)
    const served = [[anyOf('service_name', names)], [anyOf('service', names), NO_SERVICE_NAME]]
    return otel.questions(windowSeconds).map((question) => {
      const each = question.name.startsWith('graph') ? [[anyOf('server', names)]] : served
      return { ...question, promql: union(...each.map((those) => within(question.promql, those))) }
    })
  },

  // Edges carry means: their buckets are as coarse as the graph's own.
  edgeQuestion: () => null,

  reading,
}

const SERVER = ['server', ...NAMESPACES.map((label) => `server_${label}`)]
/** Calls of whoever has no traces. */
const OUTSIDE: readonly Matcher[] = [
  { label: 'connection_type', op: '=', value: 'virtual_node' },
  { label: 'client', op: '=', value: 'user' },
]
/** Collectors write `service_name`, Tempo `service`. */
const NO_SERVICE_NAME: Matcher = { label: 'service_name', op: '=', value: '' }
/** No bucket of seconds is this long; of milliseconds some always are. */
const LONG = { label: 'le', op: '=~', value: '[0-9]{4,}(\\.0)?' } as const
