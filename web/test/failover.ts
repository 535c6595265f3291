import type { Failover, Outlooks } from '@goldseam/server/contract'
import type { Scene } from './scenes.ts'

/** One cluster is gone: the shop's front would get more than ever, and the ledger runs nowhere else. */
export function failoverOf({ fleet: { snapshot, clusters, gaps, verdict } }: Scene, params: URLSearchParams): Failover {
  const cluster = params.get('cluster') ?? ''
  return {
    snapshot,
    clusters,
    gaps,
    verdict,
    cluster,
    days: Number(params.get('days') ?? 7),
    split: null,
    form: 'nowhere',
    text: `If ${cluster} goes, 1 workload gets more than ever within its goals in the last 7 days, most of all shop/storefront (east): 93/s (now 41/s), x1.6 what it has carried within its goals: 60/s 33 h ago; 41/s have nowhere to go: stock/ledger (west) runs nowhere else.`,
    rows: [
      {
        id: 'east/shop/storefront',
        now: 41,
        after: 93,
        direct: 52,
        passedOn: 0,
        insteadOf: ['west/shop/storefront'],
        assumed: [],
        carried: {
          kept: { requestsPerSecond: 60, at: '2026-11-19T18:00:00Z' },
          broke: { requestsPerSecond: 71, at: '2026-11-20T18:10:00Z', why: 'p99 1.20 s' },
          stepSeconds: 600,
          judgedSeconds: 590_000,
          heldTo: 'success 99.9 %, p99 500 ms',
          goals: true,
        },
        ratio: 1.55,
        verdict: 'above',
        text: 'x1.6 what it has carried within its goals: 60/s 33 h ago; at 71/s it had p99 1.20 s',
      },
    ],
    nowhere: [{ id: 'west/stock/ledger', requestsPerSecond: 41, callers: ['east/shop/storefront'] }],
    notes: ['Rates only: retries, timeouts and what a slower answer does to its callers are left out.'],
  }
}

/** East carries everything; only some of what west does runs elsewhere. */
export function outlooksOf({ fleet: { snapshot, clusters, gaps, verdict } }: Scene): Outlooks {
  const outlooks = clusters.map(({ name }, at): Outlooks['outlooks'][number] => {
    const others = clusters.filter((other) => other.name !== name)
    return {
      cluster: name,
      lands: others.map((other, place) => ({ cluster: other.name, requestsPerSecond: 52 / (at + 1) / (place + 1) })),
      nowhere:
        at === 0
          ? { requestsPerSecond: 0, workloads: 0, ids: [] }
          : { requestsPerSecond: 41, workloads: 1, ids: [`${name}/stock/ledger`] },
      gaining: others.length === 0 ? 0 : 3,
      most: others[0] === undefined ? null : { id: `${others[0].name}/shop/storefront`, now: 41, after: 93 },
    }
  })
  return { snapshot, clusters, gaps, verdict, outlooks, left: [] }
}
