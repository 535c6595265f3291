import type { Clusters, DependencyNode, Edge, Series, Suspects, WorkloadDetail } from '@goldseam/server/contract'
import { parseWorkloadId } from '../src/format/workload-name.ts'
import { firing } from './alerts.ts'
import { edge, edgeView, golden, hostView, steady } from './builders.ts'
import { goals } from './goals.ts'
import { A, B, C, clusters, D, ENTRY, fleet, INGRESS, ledger, X } from './incident.ts'

function node(id: string, change: Partial<DependencyNode> = {}): DependencyNode {
  const parsed = parseWorkloadId(id)
  return {
    id,
    kind: 'workload',
    cluster: parsed?.cluster ?? null,
    namespace: parsed?.namespace ?? null,
    name: parsed?.name ?? id,
    edge: null,
    workload: fleet.workloads.find((workload) => workload.id === id) ?? null,
    deltaSeconds: null,
    share: null,
    linkShare: null,
    onSuspectPath: false,
    suspect: false,
    repeats: false,
    cycle: false,
    truncated: false,
    children: [],
    ...change,
  }
}

function seam(to: string, rate: number, mean: number, calls: number): Edge {
  return edge(X, to, golden(rate, mean, 0.0002), golden(rate / 2, 0.06), {
    caller: hostView(golden(rate, mean, 0.0002)),
    callee: edgeView(golden(rate * 0.98, mean - 0.007, 0.0002)),
    destination: `${parseWorkloadId(to)?.name}.stock.example`,
    via: INGRESS,
    callsPerRequest: calls,
    evidence: [
      `shop/storefront calls host ${parseWorkloadId(to)?.name}.stock.example at 203.0.113.20`,
      'west is the only cluster that serves this host behind that address',
      'the rates of both ends agree within 2 %',
    ],
  })
}

const toLedger = node(D, {
  edge: edge(C, D, golden(41, 0.736), golden(20, 0.03)),
  deltaSeconds: 0.736,
  share: 0.976,
  linkShare: 0.004,
  onSuspectPath: true,
  suspect: true,
})

const rules = node(C, {
  edge: edge(A, C, golden(21, 0.742), golden(10, 0.04)),
  deltaSeconds: 0.742,
  share: 0.006,
  linkShare: 0.002,
  onSuspectPath: true,
  children: [
    toLedger,
    node('west/stock/render', {
      edge: edge(C, 'west/stock/render', golden(41, 0.0031), golden(20, 0.003)),
      deltaSeconds: 0.0001,
      share: 0,
    }),
    node('west/stock/notify', {
      edge: edge(C, 'west/stock/notify', golden(41, 0.0044), golden(20, 0.0044)),
      deltaSeconds: 0,
      share: 0,
    }),
  ],
})

const dependencies: DependencyNode = node(X, {
  deltaSeconds: 0.754,
  share: 0.01,
  onSuspectPath: true,
  children: [
    node(A, {
      edge: seam(A, 20.6, 0.767, 0.5),
      deltaSeconds: 0.746,
      share: 0.008,
      linkShare: 0.01,
      onSuspectPath: true,
      children: [rules],
    }),
    node(B, {
      edge: seam(B, 12.1, 0.762, 0.3),
      deltaSeconds: 0.747,
      share: 0.004,
      linkShare: 0.01,
      onSuspectPath: true,
      children: [
        node(C, {
          edge: edge(B, C, golden(12, 0.742), golden(6, 0.04)),
          deltaSeconds: 0.742,
          onSuspectPath: true,
          repeats: true,
        }),
      ],
    }),
    node(C, { edge: seam(C, 8.2, 0.75, 0.2), deltaSeconds: 0.743, onSuspectPath: true, repeats: true }),
    node('east/shop/sessions', {
      edge: edge(X, 'east/shop/sessions', golden(82, 0.0011), golden(40, 0.001)),
      deltaSeconds: 0,
      share: 0,
    }),
    node('east/shop/cart', {
      edge: edge(X, 'east/shop/cart', golden(41, 0.009), golden(20, 0.009)),
      deltaSeconds: 0.0002,
      share: 0,
    }),
    node('outside:api.payments.example:443', {
      kind: 'outside',
      name: 'api.payments.example:443',
      cluster: null,
      namespace: null,
      edge: edge(X, 'outside:api.payments.example:443', golden(4, 0.12), golden(4, 0.12), {
        seam: false,
        callee: null,
        seenFrom: 'caller',
      }),
      deltaSeconds: 0.001,
    }),
  ],
})

const POINTS = 120

function series(): Series {
  const end = Date.parse('2026-11-21T03:31:10Z') / 1000
  const at = Array.from({ length: POINTS }, (_, index) => end - (POINTS - 1 - index) * 15)
  const column = (before: number, after: number, seed: number) =>
    at.map((_, index) => {
      const grown = Math.min(1, Math.max(0, (index - 44) / 12))
      return (before + (after - before) * grown) * (0.94 + 0.12 * steady(seed + index))
    })
  return {
    from: new Date((end - 1_800) * 1000).toISOString(),
    to: new Date(end * 1000).toISOString(),
    stepSeconds: 15,
    at,
    requestsPerSecond: column(20, 41, 1),
    successRatio: at.map((_, index) => (index % 17 === 0 ? 0.9991 : index < 44 ? 1 : 0.9998)),
    inFlight: column(2.2, 34.5, 3),
    mean: column(0.11, 0.842, 4),
    p50: column(0.1, 0.77, 5),
    p95: column(0.26, 2.02, 6),
    p99: column(0.32, 2.44, 7),
    p999: column(0.43, 3.3, 8),
    percentileSamples: column(20, 41, 1).map((rate) => Math.round(rate * 60)),
    enoughFor: at.map(() => 3),
  }
}

const storefront = fleet.workloads.find(({ id }) => id === X)
if (!storefront) throw new Error(`the fixture fleet lacks ${X}`)

export const detail: WorkloadDetail = {
  snapshot: fleet.snapshot,
  clusters,
  gaps: [],
  verdict: fleet.verdict,
  workload: storefront,
  callers: [
    edge(ENTRY, X, golden(19.8, 0.86), golden(19, 0.12)),
    edge('east/batch/cronjob:nightly', X, golden(0.4, 0.9), golden(0.4, 0.12)),
  ],
  dependencies,
  series: series(),
  explore:
    'histogram_quantile(0.99,sum by (namespace,deployment,le) (rate(response_latency_ms_bucket{direction="inbound",namespace="shop",deployment="storefront"}[20s])))',
  limits: [{ about: 'latency', text: 'latency is the time to the first byte of the response, up to 50 s' }],
  routes: [],
  goals,
  alerts: firing,
  suspects: [ledger],
  deltaSeconds: 0.754,
}

export const suspects: Suspects = {
  snapshot: fleet.snapshot,
  clusters,
  gaps: [],
  verdict: fleet.verdict,
  focus: X,
  deltaSeconds: 0.754,
  suspects: [ledger],
  contributions: [
    { id: D, kind: 'workload', seconds: 0.736, share: 0.976 },
    { id: X, kind: 'workload', seconds: 0.008, share: 0.01 },
    { id: `${X}~${A}`, kind: 'link', seconds: 0.007, share: 0.01 },
    { id: 'unexplained', kind: 'unexplained', seconds: 0.003, share: 0.004 },
  ],
  cleared: [A, B, C, 'west/stock/render', 'west/stock/notify'],
  cannotJudge: [{ id: 'outside:api.payments.example:443', why: 'not meshed' }],
  problems: [[X, A, C, D]],
  entries: [X],
  margin: null,
}

export const clusterStatus: Clusters = {
  snapshot: fleet.snapshot,
  clusters: clusters.map((cluster, index) => ({
    ...cluster,
    discoveredAt: index === 0 ? null : 'http://thanos.example.com:10902',
    alsoAt: index === 0 ? ['http://thanos.example.com:10902'] : [],
    endpoints: [
      {
        url: index === 0 ? 'http://prometheus.east.example.com' : 'https://prometheus.west.example.com',
        certificateEndsAt: index === 0 ? null : '2027-02-14T12:00:00Z',
        state: 'ok',
        reason: null,
        lastAnswerAt: fleet.snapshot.at,
        breaker: { state: 'closed' as const, nextTryAt: null },
        querySecondsP95: 0.18,
        querySecondsPerSecond: 0.03,
        version: '2.42.0',
      },
    ],
    scrapeIntervalSeconds: 2,
    clockSkewSeconds: 0.1,
    seriesRead: 41_300,
    meshes: [
      {
        name: 'linkerd',
        workloads: cluster.workloads,
        alsoSeen: 0,
        limits: [{ about: 'edges', text: 'behind a plain ingress all hosts share one series' }],
      },
    ],
    load: {
      querySecondsPerSecond: 0.03,
      maxLoad: 0.2,
      refreshSeconds: 10,
      bucketRefreshSeconds: 30,
      stretched: null,
    },
    seamsOut: index === 0 ? 3 : 0,
    seamsIn: index === 0 ? 0 : 3,
    seamsWith: [index === 0 ? { cluster: 'west', out: 3, in: 0 } : { cluster: 'east', out: 0, in: 3 }],
    kubeState: index === 0,
    workloadsLastSeen: cluster.workloads,
  })),
  gaps: [],
  verdict: fleet.verdict,
  unresolved: [
    {
      from: X,
      destination: 'api.payments.example:443',
      requestsPerSecond: 4,
      candidates: [],
      suggestion: 'routes:\n  - { host: "api.payments.example", to: west/pay/api }',
    },
  ],
}
