import { added, type Counter, counter, histogram, type Labels, type Page, shareOut } from './counters.ts'
import { atLeast, atPod, egressRoute, identity, outcome, toAddress, toMirror, toPod } from './linkerd-labels.ts'
import type { Pod, TrueCall, TrueCluster, TrueWorkload, Truth } from './truth.ts'

/** The buckets of `response_latency_ms`. */
export const LINKERD_BOUNDS_MS = [1, 2, 3, 4, 5, 10, 20, 30, 40, 50, 100, 200, 300, 400, 500].concat(
  [1, 2, 3, 4, 5, 10, 20, 30, 40, 50].map((seconds) => seconds * 1_000),
)
/** Enough where nobody looks at percentiles. */
export const FEW_BOUNDS_MS = [10, 100, 1_000]
const ROUTE_BOUNDS_SECONDS = [0.05, 0.5, 1, 10]
/** What the way between clusters costs. */
export const SEAM_MS = 4

/** One flow at one pod. */
interface Flow {
  readonly perStep: number
  readonly failuresPerStep: number
  readonly meanMs: number
}

/** The pages of all proxies of one cluster. */
export function linkerdPages(truth: Truth, cluster: TrueCluster, bounds: readonly number[]): Page[] {
  const pages = new Map<string, Counter[]>()
  const targets = new Map<string, Labels>()
  const put = (workload: TrueWorkload, pod: Pod, counters: readonly Counter[]) => {
    targets.set(pod.ip, targetOf(workload, pod))
    pages.set(pod.ip, [...(pages.get(pod.ip) ?? []), ...counters])
  }
  const clusterOf = (name: string) => truth.clusters.find((one) => one.name === name) as TrueCluster
  const writer = { cluster, bounds, put }
  for (const workload of truth.workloads) {
    if (workload.cluster !== cluster.name) continue
    for (const pod of workload.pods) put(workload, pod, noise(cluster, pod, bounds))
  }
  for (const call of truth.calls) {
    const from = clusterOf(call.from.cluster)
    if (from === cluster && !truth.proxies.includes(call.from)) calls(writer, call, clusterOf)
    for (const { workload: to, perStep } of call.to) {
      const callee = clusterOf(to.cluster)
      if (callee !== cluster) continue
      const meshed = !truth.proxies.includes(call.from)
      arrivals(writer, call, meshed ? from : null, to, partOf(call, perStep * call.attempts))
    }
  }
  return [...pages].map(([ip, counters]) => ({ target: targets.get(ip) ?? {}, counters: added(counters) }))
}

interface Writer {
  readonly cluster: TrueCluster
  readonly bounds: readonly number[]
  put(workload: TrueWorkload, pod: Pod, counters: readonly Counter[]): void
}

/** What Linkerd's scrape rules put on every series of a pod. */
function targetOf({ namespace, kind, name }: TrueWorkload, pod: Pod): Labels {
  return { job: 'linkerd-proxy', instance: `${pod.ip}:4191`, namespace, pod: pod.name, [kind]: name }
}

function partOf(call: TrueCall, perStep: number): Flow {
  const failuresPerStep = Math.floor((call.failuresPerStep * perStep) / call.perStep)
  return { perStep, failuresPerStep, meanMs: call.meanMs }
}

/** The caller's side. */
function calls(writer: Writer, call: TrueCall, clusterOf: (name: string) => TrueCluster): void {
  const { cluster, put } = writer
  const { from } = call
  const send = (flow: Flow, labelsTo: readonly Labels[]) =>
    spread(flow, from.pods.length * labelsTo.length).forEach((part, index) => {
      const pod = from.pods[index % from.pods.length] as Pod
      const labels = labelsTo[Math.floor(index / from.pods.length)] as Labels
      put(from, pod, responses(writer, labels, part))
    })
  if (['ingress', 'outside', 'podAddress'].includes(call.style)) {
    const flow = partOf(call, call.perStep * call.attempts)
    const meanMs = call.meanMs + SEAM_MS
    send({ ...flow, meanMs }, [toAddress(cluster, call)])
    egress(writer, call, meanMs)
    return
  }
  for (const { workload: to, perStep } of call.to) {
    const callee = clusterOf(to.cluster)
    const flow = { ...partOf(call, perStep), meanMs: call.meanMs + (callee === cluster ? 0 : SEAM_MS) }
    if (call.style === 'mirror') send(flow, [toMirror(cluster, callee, to, gatewayAddress(callee))])
    else
      send(
        flow,
        to.pods.map((pod) => toPod(cluster, callee, to, pod, authorityOf(call, to, callee))),
      )
  }
}

export function gatewayAddress(callee: TrueCluster): string {
  return callee.ingress.address.replace('203.0.113', '203.0.114').concat(':4143')
}

function authorityOf(call: TrueCall, to: TrueWorkload, callee: TrueCluster): string {
  const suffix = call.style === 'flat' ? `-${callee.linkName}` : call.style === 'federated' ? '-federated' : ''
  return `${to.service}${suffix}.${to.namespace}.svc.cluster.local:8080`
}

/** Route metrics of calls that leave the mesh: after retries, by host where the proxy is told to name it. */
function egress({ cluster, put }: Writer, call: TrueCall, meanMs: number): void {
  if (!atLeast(cluster.linkerd, '2.16')) return
  const named = atLeast(cluster.linkerd, '2.17')
  const labels = egressRoute(cluster.linkerd, named ? (cluster.hostnames && call.host) || '' : null)
  const { from } = call
  const effective = { perStep: call.perStep, failuresPerStep: call.failuresPerStep, meanMs: meanMs * call.attempts }
  spread(effective, from.pods.length).forEach((part, index) => {
    const status = (failed: boolean, perStep: number) => {
      const more = { http_status: failed ? '500' : '200', error: '' }
      return counter('outbound_http_route_request_statuses_total', { ...labels, ...more }, perStep)
    }
    put(from, from.pods[index] as Pod, [
      status(false, part.perStep - part.failuresPerStep),
      ...(part.failuresPerStep > 0 ? [status(true, part.failuresPerStep)] : []),
      ...histogram(
        'outbound_http_route_request_duration_seconds',
        labels,
        part.perStep,
        part.meanMs / 1_000,
        ROUTE_BOUNDS_SECONDS,
        (bound) => (Number.isInteger(bound) ? `${bound}.0` : `${bound}`),
      ),
    ])
  })
}

/** The callee's side, with the gateway or ingress that the requests pass. `from`: null where the caller has no mesh. */
function arrivals(writer: Writer, call: TrueCall, from: TrueCluster | null, to: TrueWorkload, flow: Flow): void {
  const { cluster, put } = writer
  const { ingress, gateway } = cluster
  const service = `${to.service}.${to.namespace}.svc.cluster.local:8080`
  const passing =
    call.style === 'mirror' ? gateway : call.style === 'ingress' && ingress.meshed ? ingress.workload : null
  // A gateway or ingress of the callee's own cluster speaks for the caller.
  const caller = from === null ? null : identity(call.from, from)
  const speaker = passing === null ? caller : identity(passing, cluster)
  const client = call.style === 'podAddress' || (call.style === 'ingress' && passing === null) ? null : speaker
  const authority = call.style === 'podAddress' ? null : (call.host ?? service)
  const pods = call.style === 'podAddress' ? to.pods.slice(0, 1) : to.pods
  spread(flow, pods.length).forEach((part, index) => {
    const pod = pods[index] as Pod
    put(to, pod, responses(writer, atPod(cluster, pod, client, authority), part))
  })
  if (passing === null) return
  const through = { ...flow, meanMs: flow.meanMs + 1 }
  const [pod] = passing.pods
  if (pod === undefined) return
  if (call.style === 'ingress') put(passing, pod, responses(writer, atPod(cluster, pod, null, call.host), through))
  // An ingress balances over pods by itself; a gateway asks for the service.
  spread(through, to.pods.length).forEach((part, index) => {
    const labels = toPod(cluster, cluster, to, to.pods[index] as Pod, call.style === 'ingress' ? null : service)
    put(passing, pod, responses(writer, labels, part))
  })
  if (call.style === 'mirror' && atLeast(cluster.linkerd, '2.18')) {
    const target = { target_name: service.replace(':8080', ''), target_port: '8080', session_protocol: 'http/2' }
    const labels = { ...target, client_id: caller ?? '' }
    put(passing, pod, [counter('inbound_tcp_transport_header_connections_total', labels, 1)])
  }
}

/** The legacy trio of one label set. */
function responses({ cluster, bounds }: Writer, labels: Labels, { perStep, failuresPerStep, meanMs }: Flow): Counter[] {
  const version = cluster.linkerd
  const parts = [
    { failed: false, count: perStep - failuresPerStep },
    { failed: true, count: failuresPerStep },
  ].filter(({ count }) => count > 0)
  return [
    counter('request_total', labels, perStep),
    ...parts.flatMap(({ failed, count }) => [
      counter('response_total', { ...labels, ...outcome(version, failed) }, count),
      ...histogram('response_latency_ms', { ...labels, status_code: failed ? '500' : '200' }, count, meanMs, bounds),
    ]),
  ]
}

/** Probes and scrapes of the proxy's own port, which every idle pod has; no request of anybody's. */
function noise(cluster: TrueCluster, pod: Pod, bounds: readonly number[]): Counter[] {
  const admin = atLeast(cluster.linkerd, '2.10') ? { target_addr: '0.0.0.0:4191' } : {}
  const port = atLeast(cluster.linkerd, '2.11') ? { target_ip: '0.0.0.0', target_port: '4191' } : {}
  // Up to 2.10 nothing tells the admin port's requests apart by a port of their own; those pages leave them out here.
  if (!atLeast(cluster.linkerd, '2.11')) return []
  const labels = { ...atPod(cluster, pod, null, null), ...admin, ...port }
  return responses({ cluster, bounds, put: () => undefined }, labels, { perStep: 2, failuresPerStep: 0, meanMs: 2 })
}

function spread(flow: Flow, parts: number): Flow[] {
  const requests = shareOut(flow.perStep, parts)
  const failures = shareOut(flow.failuresPerStep, parts)
  return requests.map((perStep, index) => ({ ...flow, perStep, failuresPerStep: failures[index] ?? 0 }))
}
