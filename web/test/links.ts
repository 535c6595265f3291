import type { MadeLink, Problem, SavedLink, Tool } from '@goldseam/server/contract'

/** What the fixture server says of links: `3F7K2M` is saved evidence, `SHORT2` a short link, `GONE22` has expired. */
const saved: SavedLink = {
  code: '3F7K2M',
  kind: 'evidence',
  state: 'kept',
  title: '(!) storefront p99 2.44 s - Goldseam',
  address: '/d/east/shop/storefront?from=2026-11-21T03:01:10Z&to=2026-11-21T03:31:10Z',
  createdAt: '2026-11-21T03:31:20.000Z',
  expiresAt: null,
  snapshotAt: '2026-11-21T03:31:10.000Z',
  verdict: 'shop/storefront (east) is slow because of stock/ledger (west).',
  leftOut: [],
}
const known: Readonly<Record<string, SavedLink>> = {
  '3F7K2M': saved,
  SHORT2: { ...saved, code: 'SHORT2', kind: 'link', address: '/triage?from=now-1h', snapshotAt: null, verdict: null },
  GONE22: { ...saved, code: 'GONE22', state: 'expired', address: null, expiresAt: '2026-11-22T03:31:20.000Z' },
}

export const madeLink: MadeLink = { code: '3F7K2M', path: '/s/3F7K2M', expiresAt: null, durable: false, leftOut: [] }

export function linkAnswer(code: string): { status: number; body: SavedLink | Problem } {
  const found = known[code.toUpperCase()]
  if (found) return { status: 200, body: found }
  const detail = `nobody made the link ${code} here, or it was deleted`
  return { status: 404, body: { type: '/problems/no-such-link', title: 'No such link', status: 404, detail } }
}

export const tools: Tool[] = [
  {
    name: 'Grafana',
    url: 'https://grafana.example.com/d/golden?var-cluster={cluster}&var-ns={namespace}&var-name={name}&from={fromMs}&to={toMs}',
    for: 'workload',
    clusters: [],
    workloads: [],
  },
  {
    name: 'Runbook',
    url: 'https://runbooks.example.com/{namespace}/{name}',
    for: 'workload',
    clusters: [],
    workloads: ['*/stock/*', '*/shop/*'],
  },
  { name: 'Linkerd viz', url: 'https://viz.example.com/{cluster}', for: 'cluster', clusters: ['west'], workloads: [] },
]
