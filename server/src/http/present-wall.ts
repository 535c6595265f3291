import type { WallCluster, WallFrame, WallHero, WallRow } from '../contract/index.ts'
import type { Assessed } from '../domain/assess.ts'
import { localName } from '../domain/identity.ts'
import { workloadRow } from '../domain/row.ts'
import { isWithin } from '../domain/verdict-within.ts'
import { nextPlaces, type Place } from '../domain/wall-places.ts'
import type { Rail, RailCandidate } from '../domain/wall-rail.ts'
import type { Snapshot } from '../federation/snapshot.ts'
import { time, timeOrNull } from './present-golden.ts'
import { heroOf } from './present-hero.ts'
import { clustersIn, type Marked, type WallScene, WEIGHTS } from './wall-scene.ts'

/** Rows that are spelled out at most. */
const MOST_ROWS = 12

/** For the rail: how much each deserves attention. */
export function candidatesOf({ taken, marked }: WallScene): RailCandidate[] {
  const ranks = new Map(taken.judgement.suspects.map(({ id, rank }) => [id, rank]))
  return marked.map(({ workload, mark }) => {
    const { now, usual, id } = workload
    const weight = WEIGHTS[mark] / (ranks.get(id) ?? 1)
    const grown = now.meanSeconds && usual.meanSeconds ? Math.max(1, now.meanSeconds / usual.meanSeconds) : 1
    return { id, score: weight * (1 + Math.log10(grown)) }
  })
}

/** What the whole fleet's past says: since when somebody watches, and when something was last in trouble. */
export interface Memory {
  readonly watchingSinceSeconds: number
  readonly lastTroubleSeconds: number | null
  /** Of each cluster, by its name. */
  readonly places: Places
}

export type Places = ReadonlyMap<string, readonly Place[]>

/** Where everybody stands after this scene. */
export function placesAfter(places: Places, scene: WallScene): Places {
  const byCluster = grouped(scene)
  return new Map(
    clustersIn(scene).map(({ name, state }) => {
      const ids = (byCluster.get(name) ?? []).map(({ workload }) => workload.id)
      return [name, nextPlaces(places.get(name) ?? [], ids, isSeen(state), scene.taken.atSeconds)]
    }),
  )
}

function isSeen(state: WallCluster['state']): boolean {
  return state === 'ok' || state === 'partial'
}

export function frameOf(
  scene: WallScene,
  rail: Rail,
  memory: Memory,
  { build, nowSeconds, code, note }: Pick<WallFrame, 'build' | 'note'> & { nowSeconds: number; code: string | null },
): WallFrame {
  const { taken, marked } = scene
  const byId = new Map(marked.map((one) => [one.workload.id, one]))
  // Who is not explained by somebody else comes first when not all can be spelled out.
  const listed = rail.entries.flatMap((entry) => byId.get(entry.id) ?? [])
  const victims = listed.filter(({ mark }) => mark === 'critVia' || mark === 'warnVia')
  const chosen = listed.length <= MOST_ROWS ? listed : [...listed.filter((one) => !victims.includes(one)), ...victims]
  const shown = chosen.slice(0, MOST_ROWS)
  const rows = shown.map((one) => rowOf(scene, one, rail))
  const hero = heroOf(scene)
  const spelled = new Set([hero.id, ...rows.map(({ id }) => id)])
  return {
    build,
    sentAt: time(nowSeconds),
    snapshot: { id: taken.id, at: time(taken.atSeconds), refreshSeconds: taken.refreshSeconds },
    hero,
    rows,
    more: countByCause(
      scene,
      marked.filter(({ workload, mark }) => WEIGHTS[mark] > 0 && !spelled.has(workload.id)),
    ),
    clusters: clustersOf(scene, memory.places),
    lastTroubleAt: timeOrNull(memory.lastTroubleSeconds),
    watchingSince: time(memory.watchingSinceSeconds),
    link: hero.form === 'suspect' || hero.form === 'trouble' ? { path: triagePath(taken, hero), code } : null,
    note,
  }
}

export function inTrouble({ marked }: WallScene): boolean {
  return marked.some(({ mark }) => WEIGHTS[mark] > 0)
}

function rowOf({ taken, scope }: WallScene, { workload, mark }: Marked, rail: Rail): WallRow {
  const row = workloadRow(taken.situation, taken.judgement, workload)
  const { golden, truths, bounds } = row.reading
  const entry = rail.entries.find(({ id }) => id === workload.id)
  return {
    id: workload.id,
    cluster: workload.ref.cluster,
    name: nameOf(workload),
    mark,
    successRatio: golden.successRatio,
    sampleCount: golden.sampleCount,
    requestsPerSecond: golden.requestsPerSecond,
    p99Seconds: golden.latencySeconds.p99,
    truths,
    p99Bounds: bounds.p99,
    changeRatio: row.changeRatio,
    ageSeconds: workload.ageSeconds > 0 ? workload.ageSeconds : null,
    via: row.via !== null && isWithin(scope.limit, row.via) ? row.via : null,
    recoveringSince: timeOrNull(entry?.recoveringSinceSeconds ?? null),
    trendSeconds: Array.from(row.trend.p99Seconds, (value) => (Number.isNaN(value) ? null : value)),
  }
}

function grouped({ marked }: WallScene): ReadonlyMap<string, readonly Marked[]> {
  const byCluster = new Map<string, Marked[]>()
  for (const one of marked) {
    const { cluster } = one.workload.ref
    const cells = byCluster.get(cluster) ?? []
    cells.push(one)
    byCluster.set(cluster, cells)
  }
  return byCluster
}

function clustersOf(scene: WallScene, places: Places): WallCluster[] {
  const byId = new Map(scene.marked.map((one) => [one.workload.id, one]))
  return clustersIn(scene).map(({ name, state, ageSeconds, reason }) => {
    const cells = (places.get(name) ?? []).map(({ id }) => {
      const one = byId.get(id)
      if (one !== undefined) return { name: nameOf(one.workload), mark: one.mark }
      // Gone: without traffic, unless nobody can tell.
      return { name: id.slice(name.length + 1), mark: isSeen(state) ? ('none' as const) : ('stale' as const) }
    })
    return {
      name,
      state,
      ageSeconds,
      reason,
      names: cells.map((cell) => cell.name),
      marks: cells.map(({ mark }) => mark),
    }
  })
}

function countByCause({ taken, scope }: WallScene, hidden: readonly Marked[]): WallFrame['more'] {
  const counts = new Map<string | null, number>()
  for (const { workload } of hidden) {
    const cause = taken.judgement.via.get(workload.id) ?? null
    const via = cause !== null && isWithin(scope.limit, cause) ? cause : null
    counts.set(via, (counts.get(via) ?? 0) + 1)
  }
  return [...counts].map(([via, count]) => ({ via, count })).sort((a, b) => b.count - a.count)
}

/** The frozen view of the moment: half an hour up to now, further back where the trouble is older (6 h at most). */
function triagePath({ atSeconds }: Snapshot, { since }: WallHero): string {
  const onset = since === null ? atSeconds : Date.parse(since) / 1_000
  const from = Math.max(atSeconds - 21_600, Math.min(atSeconds - 1_800, onset - 900))
  const instant = (seconds: number) => `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`
  return `/triage?from=${instant(from)}&to=${instant(atSeconds)}`
}

function nameOf({ ref }: Assessed): string {
  return `${ref.namespace}/${localName(ref)}`
}
