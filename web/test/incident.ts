import type { Cluster, Fleet, Suspect, Verdict, Workload } from '@goldseam/server/contract'
import { golden, nothing, snapshot, steady, suspect, workload } from './builders.ts'

/** X in east calls A, B and C in west; all of them end in D, which is slow by itself. */
export const X = 'east/shop/storefront'
export const A = 'west/stock/catalog'
export const B = 'west/stock/pricing'
export const C = 'west/stock/rules'
export const D = 'west/stock/ledger'
export const INGRESS = 'west/edge/nginx'
export const ENTRY = 'east/shop/web'

const ONSET = '2026-11-21T03:12:10Z'

export const clusters: Cluster[] = [
  {
    name: 'east',
    state: 'ok',
    ageSeconds: 3,
    percentilesAgeSeconds: 12,
    reason: null,
    workloads: 24,
    dialects: ['linkerd'],
  },
  {
    name: 'west',
    state: 'ok',
    ageSeconds: 4,
    percentilesAgeSeconds: 4,
    reason: null,
    workloads: 22,
    dialects: ['linkerd'],
  },
]

export const verdict: Verdict = {
  form: 'suspect',
  text: "shop/storefront (east) is slow because of stock/ledger (west), 3 calls down. Ledger's own time is 736 ms of the 754 ms. Since 03:12 UTC.",
  subject: X,
  suspect: D,
  since: ONSET,
  word: 'strong',
}

export const ledger: Suspect = suspect(D, {
  own: { seconds: 0.736, lowSeconds: 0.731, highSeconds: 0.74, of: X, share: 0.976, ofSelf: 1, reason: null },
  deltaSeconds: 0.754,
  path: [X, A, C, D],
  victims: [X, A, B, C],
  onset: ONSET,
  alike: [],
  feltAt: [{ id: X, share: 0.976 }],
  wouldClear: ['it calls something that no proxy measures, and waits for that'],
  timeline: [
    { id: D, onset: ONSET },
    { id: C, onset: '2026-11-21T03:12:30Z' },
    { id: X, onset: '2026-11-21T03:12:40Z' },
    { id: A, onset: null },
  ],
  hints: ['in-flight 31 (was <1)', 'rps stuck at 41/s', 'about one request at a time'],
  evidence: [
    {
      name: 'firstToChange',
      answer: true,
      text: 'First to change, at 03:12 UTC; stock/rules 20 s later, shop/storefront 30 s later',
    },
    { name: 'calleesFine', answer: true, text: 'Its own calls are fine: none degraded, none unknown' },
    { name: 'queueing', answer: true, text: 'Queueing: in-flight 31 (was <1) while rps is stuck at 41/s' },
    { name: 'oneAtATime', answer: true, text: 'About one request at a time per pod (41/s x 24 ms = 0.98)' },
    { name: 'rollout', answer: false, text: 'No restart, image or replica change near 03:12 UTC' },
    { name: 'podsUneven', answer: null, text: 'Pods uneven: one pod only, cannot compare' },
  ],
})

function victim(share: number): Partial<Workload> {
  return {
    health: 'crit',
    via: D,
    onset: ONSET,
    own: { seconds: share * 0.754, lowSeconds: 0, highSeconds: 0.02, of: X, share, ofSelf: share, reason: null },
  }
}

export const troubled: Workload[] = [
  workload(X, golden(41, 0.842, 0.0002), golden(20, 0.11), victim(0.01)),
  workload(A, golden(21, 0.76, 0.0002), golden(10, 0.062), victim(0.008)),
  workload(B, golden(12, 0.755, 0.0002), golden(6, 0.058), victim(0.004)),
  workload(C, golden(41, 0.742, 0.0003), golden(20, 0.04), victim(0.006)),
  workload(D, golden(41, 0.736, 0.0003), golden(20, 0.03), {
    health: 'crit',
    suspectRank: 1,
    pods: 1,
    onset: ONSET,
    own: { seconds: 0.736, lowSeconds: 0.731, highSeconds: 0.74, of: X, share: 0.976, ofSelf: 1, reason: null },
  }),
]

const HEALTHY = [
  ['east/pay/checkout', 812, 0.012],
  ['east/pay/invoices', 118, 0.034],
  ['east/pay/tax', 96, 0.0042],
  ['east/shop/cart', 402, 0.009],
  ['east/shop/sessions', 1_240, 0.0011],
  ['east/shop/images', 2_310, 0.018],
  ['east/search/query', 233, 0.061],
  ['east/search/suggest', 541, 0.0082],
  ['east/accounts/profile', 87, 0.014],
  ['east/accounts/login', 31, 0.092],
  ['east/accounts/statefulset:tokens', 1_630, 0.0007],
  ['west/stock/render', 41, 0.0031],
  ['west/stock/notify', 41, 0.0044],
  ['west/stock/counts', 74, 0.011],
  ['west/ship/labels', 55, 0.041],
  ['west/ship/rates', 68, 0.027],
  ['west/ship/tracking', 144, 0.019],
  ['west/reports/export', 3.2, 0.48],
  ['west/reports/daily', 0.35, 1.31],
] as const

const healthy = HEALTHY.map(([id, rate, mean], index) =>
  workload(id, golden(rate, mean, index % 4 === 0 ? 0.00004 : 0), golden(rate * (0.9 + 0.2 * steady(index)), mean)),
)

/** One row for each state that is neither health nor trouble. */
const special: Workload[] = [
  workload(ENTRY, golden(20, 0.31), golden(19, 0.15), { health: 'warn', change: '+', via: D }),
  workload(INGRESS, golden(41, 0.79), golden(20, 0.07), { role: 'ingress', ...victim(0.002) }),
  workload('east/pay/refunds', golden(9, 0.21), golden(9, 0.1), { health: 'warn' }),
  workload('west/mailing/letters', nothing, golden(2, 0.05), { notes: ['no longer called'] }),
  workload('west/ship/archive', golden(4, 21), golden(4, 20), {
    truth: 'offScale',
    truths: {
      requestsPerSecond: 'value',
      successRatio: 'value',
      mean: 'value',
      p50: 'lowSample',
      p95: 'lowSample',
      p99: 'offScale',
      p999: 'offScale',
    },
    bounds: { p50: [10, 20], p95: [40, 50], p99: [50, null], p999: [50, null] },
  }),
]

export const fleet: Fleet = {
  snapshot,
  clusters,
  gaps: [],
  verdict,
  workloads: [...troubled, ...healthy, ...special],
  suspects: [ledger],
}
