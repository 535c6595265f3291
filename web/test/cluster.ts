import type { ClusterDetail, ClusterTest, LabelUse, UpstreamRequest } from '@goldseam/server/contract'
import type { Scene } from './scenes.ts'

const BOUNDS = [1, 2, 3, 4, 5, 10, 20, 30, 40, 50, 100, 200, 500, 1_000, 5_000, 10_000, 50_000].map((ms) => ms / 1_000)
const ASKED = ['inbound', 'inboundTime', 'outbound', 'outboundTime', 'egress', 'pods', 'tcp', 'inboundBuckets']

const LABEL_USES: LabelUse[] = [
  { says: 'namespace', labels: ['namespace'], note: null },
  {
    says: 'workload',
    labels: ['deployment', 'statefulset', 'daemonset', 'cronjob', 'k8s_job', 'replicaset'],
    note: 'the first that is set; which one it is tells the kind',
  },
  { says: 'pod', labels: ['pod'], note: null },
  { says: 'direction', labels: ['direction'], note: 'inbound: what it answers; outbound: what it calls' },
  { says: 'failed or not', labels: ['classification'], note: 'failure; everything else succeeded' },
  { says: 'bucket', labels: ['le'], note: 'milliseconds; of calls to outside, seconds' },
]

/** `NAME` or `NAME/test`. */
export function clusterAnswer(scene: Scene, rest: string): { status: number; body: unknown } {
  const [name = '', action] = rest.split('/')
  const detail = clusterOf(scene, name)
  if (detail === null) return { status: 404, body: nobody(scene, name) }
  return { status: 200, body: action === 'test' ? testOf(detail) : detail }
}

function nobody(scene: Scene, name: string) {
  const near = scene.clusters.clusters.map((cluster) => cluster.name)
  const detail = `cluster ${name} is not configured here (known: ${near.join(', ')})`
  return { type: '/problems/not-found', title: 'Not found', status: 404, detail, near }
}

/** One cluster of a scene in full; the last minute of its requests holds one that failed. */
function clusterOf(scene: Scene, name: string): ClusterDetail | null {
  const { unresolved, ...head } = scene.clusters
  const cluster = head.clusters.find((one) => one.name === name)
  if (cluster === undefined) return null
  const endpoint = cluster.endpoints[0]?.url ?? ''
  const atMs = Date.parse(head.snapshot.at)
  const requests = Array.from({ length: 60 }, (_, index): UpstreamRequest => {
    const failed = name === 'west' && index === 9
    return {
      at: new Date(atMs - index * 1_250).toISOString(),
      endpoint,
      kind: index % 17 === 5 ? 'others' : 'instant',
      question: index % 17 === 5 ? '/api/v1/query_range' : (ASKED[index % ASKED.length] ?? ''),
      seconds: failed ? 5.2 : 0.012 * (1 + ((index * 7) % 11)),
      bytes: failed ? null : 1_200 * (1 + ((index * 5) % 13)),
      outcome: failed ? 'timeout' : 'ok',
      detail: failed ? 'no answer within 5 s; raise limits.queryTimeout or look at its load' : null,
    }
  })
  const seams = scene.detail.dependencies.children.flatMap(({ edge }) => (edge?.seam ? [edge] : []))
  return {
    ...head,
    gaps: head.gaps.filter((gap) => gap.cluster === name),
    cluster,
    requests,
    lastHour: [{ endpoint, answered: 3_598, failed: name === 'west' ? 2 : 0 }],
    retention: [{ endpoint, text: '15d' }],
    settings: [
      { name: 'endpoints[0].url', value: endpoint },
      { name: 'endpoints[0].auth', value: 'bearer token, not shown' },
      { name: 'endpoints[0].timeout', value: '10 s' },
      { name: 'dialects', value: 'auto' },
      { name: 'refresh', value: '10 s' },
    ],
    lookedFor: [
      { dialect: 'linkerd', metrics: ['response_total', 'response_latency_ms_bucket'], labelUses: LABEL_USES },
    ],
    beside: name === 'west' ? null : { podAddresses: 48, services: 12, balancers: 1, exposedHosts: 3 },
    bucketLayouts: [{ boundsSeconds: BOUNDS, workloads: cluster.workloads }],
    seams: seams.map(({ from, to, rule, confidence, seenFrom, accountedRatio, caller }) => ({
      from,
      to,
      rule,
      confidence,
      seenFrom,
      accountedRatio,
      requestsPerSecond: caller?.requestsPerSecond ?? null,
    })),
    unresolved: unresolved.filter(({ from }) => from.startsWith(`${name}/`)),
  }
}

function testOf({ snapshot, cluster }: ClusterDetail): ClusterTest {
  const text = 'Answered in 12 ms. It says that it is version 2.42.0. It has 84 scrape targets, 2 of them down.'
  return {
    at: snapshot.at,
    endpoints: cluster.endpoints.map(({ url }) => ({ url, answered: true, seconds: 0.012, text })),
  }
}
