import type { WallCluster, WallFrame, WallMark, WallRow } from '@goldseam/server/contract'

/** Frames of fleets that nobody runs: for pictures of every size and state, without waiting for them to happen. */
export interface FleetShape {
  readonly clusters: number
  readonly workloads: number
  readonly scene: 'quiet' | 'incident' | 'partial' | 'blind'
  /** Unhealthy beside the five of the incident. */
  readonly alsoBad?: number
  readonly note?: WallFrame['note']
}

const NAMES = ['east', 'west', 'north', 'south', 'eu-1', 'eu-2', 'us-1', 'us-2', 'asia-1', 'asia-2']
const TEAMS = ['shop', 'pay', 'stock', 'ship', 'search', 'accounts', 'reports', 'mailing']
const JOBS = [
  'web',
  'cart',
  'ledger',
  'rates',
  'rules',
  'labels',
  'query',
  'profile',
  'tracking',
  'export',
  'images',
  'tokens',
]
const AT = Date.parse('2026-11-21T03:31:10Z')
const ONSET = '2026-11-21T03:12:10.000Z'

/** The culprit and those that wait for it; in the first cluster or two. */
const CULPRIT = 'stock/ledger'
const VICTIMS = ['shop/storefront', 'stock/catalog', 'stock/pricing', 'stock/rules']

export function wallFrame({ clusters: count, workloads, scene, alsoBad = 0, note }: FleetShape): WallFrame {
  const home = count > 1 ? 'west' : 'east'
  const clusters = Array.from({ length: count }, (_, index) => clusterOf(index, share(workloads, count, index)))
  const rows: WallRow[] = []
  const more: WallFrame['more'] = []
  if (scene === 'incident') {
    mark(clusters, home, CULPRIT, 'crit')
    rows.push(row(home, CULPRIT, 'crit', 2.14, 24.2, null))
    for (const [index, name] of VICTIMS.entries()) {
      const cluster = index === 0 ? 'east' : home
      mark(clusters, cluster, name, 'critVia')
      rows.push(row(cluster, name, 'critVia', 2.6 - index * 0.1, 8 + index * 3, `${home}/${CULPRIT}`))
    }
    mark(clusters, 'east', 'pay/checkout-worker-eu-central', 'warn')
    rows.push(row('east', 'pay/checkout-worker-eu-central', 'warn', 0.61, 2.1, null))
    const extra = clusters.flatMap(({ name, names, marks }) =>
      names.flatMap((cell, index) => (marks[index] === 'ok' ? [{ name, cell }] : [])),
    )
    for (const { name, cell } of extra.slice(0, alsoBad)) {
      mark(clusters, name, cell, 'warnVia')
      if (rows.length < 12) rows.push(row(name, cell, 'warnVia', 0.3, 2.2, `${home}/${CULPRIT}`))
      else more.push({ via: `${home}/${CULPRIT}`, count: 1 })
    }
  }
  const silent = scene === 'partial' ? clusters.slice(-1) : scene === 'blind' ? clusters : []
  const shown = clusters.map((cluster): WallCluster => {
    if (!silent.includes(cluster)) return cluster
    const state = scene === 'blind' ? 'down' : 'stale'
    return { ...cluster, state, ageSeconds: 95, reason: 'timeout', marks: cluster.marks.map(() => 'stale') }
  })
  return {
    build: '0.1.0-7c1e44aa',
    sentAt: new Date(AT + 2_000).toISOString(),
    snapshot: { id: `fixture-${scene}`, at: new Date(AT).toISOString(), refreshSeconds: 10 },
    hero: heroOf(
      scene,
      home,
      silent.map(({ name }) => name),
    ),
    rows,
    more: more.length === 0 ? [] : [{ via: `${home}/${CULPRIT}`, count: more.length }],
    clusters: shown,
    lastTroubleAt: scene === 'incident' ? new Date(AT).toISOString() : '2026-11-20T23:20:00.000Z',
    watchingSince: '2026-11-12T08:00:00.000Z',
    note: note ?? null,
    link:
      scene === 'incident' ? { path: '/triage?from=2026-11-21T02:57:10Z&to=2026-11-21T03:31:10Z', code: '3F7K' } : null,
  }
}

function heroOf(scene: FleetShape['scene'], home: string, silent: readonly string[]): WallFrame['hero'] {
  const nothing = { id: null, word: null, ownShare: null, p99Seconds: null, changeRatio: null, since: null }
  const bare = { ...nothing, victims: [], others: 0 }
  const missing = silent.map((name) => `${name} has not answered for 95 s (timeout)`).join('; ')
  if (scene === 'quiet') return { ...bare, form: 'quiet', text: 'All quiet.' }
  if (scene === 'partial') return { ...bare, form: 'partial', text: missing }
  if (scene === 'blind') return { ...bare, form: 'blind', text: missing }
  return {
    form: 'suspect',
    id: `${home}/${CULPRIT}`,
    text: '',
    word: 'strong',
    ownShare: 0.976,
    p99Seconds: 2.14,
    changeRatio: 24.2,
    since: ONSET,
    victims: VICTIMS.map((name, index) => `${index === 0 ? 'east' : home}/${name}`),
    others: 0,
  }
}

function share(total: number, count: number, index: number): number {
  return Math.floor(total / count) + (index < total % count ? 1 : 0)
}

function clusterOf(index: number, count: number): WallCluster {
  const name = NAMES[index] ?? `cluster-${index}`
  const known =
    index === 0
      ? [VICTIMS[0] ?? '', 'pay/checkout-worker-eu-central']
      : index === 1
        ? [CULPRIT, ...VICTIMS.slice(1)]
        : []
  const made = Array.from({ length: count * 2 }, (_, cell) => {
    const team = TEAMS[cell % TEAMS.length] ?? 'shop'
    const round = Math.floor(cell / (TEAMS.length * JOBS.length))
    return `${team}/${JOBS[Math.floor(cell / TEAMS.length) % JOBS.length]}${round === 0 ? '' : `-${round}`}`
  })
  const names = [...new Set([...known, ...made])].slice(0, count).sort()
  const marks = names.map((_, cell): WallMark => ((cell * 7 + index) % 23 === 11 ? 'none' : 'ok'))
  return { name, state: 'ok', ageSeconds: 2, reason: null, names, marks }
}

function mark(clusters: readonly WallCluster[], cluster: string, name: string, how: WallMark): void {
  const found = clusters.find((one) => one.name === cluster) ?? clusters[0]
  const at = found?.names.indexOf(name) ?? -1
  if (found !== undefined && at >= 0) found.marks[at] = how
}

function row(cluster: string, name: string, how: WallMark, p99: number, ratio: number, via: string | null): WallRow {
  const trend = Array.from(
    { length: 60 },
    (_, step) => (step < 24 ? p99 / ratio : p99) * (0.9 + 0.2 * Math.sin(step * 2.3) ** 2),
  )
  return {
    id: `${cluster}/${name}`,
    cluster,
    name,
    mark: how,
    successRatio: 0.9997,
    sampleCount: 2_460,
    requestsPerSecond: 41,
    p99Seconds: p99,
    truths: {
      requestsPerSecond: 'value',
      successRatio: 'value',
      mean: 'value',
      p50: 'value',
      p95: 'value',
      p99: 'value',
      p999: 'lowSample',
    },
    p99Bounds: [p99 * 0.8, p99 * 1.2],
    changeRatio: ratio,
    ageSeconds: null,
    via,
    recoveringSince: null,
    trendSeconds: trend,
  }
}
