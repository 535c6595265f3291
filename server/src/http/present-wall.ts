import type { WallCluster, WallFrame, WallHero, WallMark, WallRow } from '../contract/index.ts'
import type { Assessed } from '../domain/assess.ts'
import { localName } from '../domain/identity.ts'
import { healthNow, workloadRow } from '../domain/row.ts'
import type { Suspect } from '../domain/suspects.ts'
import { offSince } from '../domain/trouble.ts'
import { nextPlaces, type Place } from '../domain/wall-places.ts'
import type { Rail, RailCandidate } from '../domain/wall-rail.ts'
import type { Snapshot } from '../federation/snapshot.ts'
import { time, timeOrNull } from './present-golden.ts'

/** Null: no limit. */
export interface WallScope {
  readonly clusters: ReadonlySet<string> | null
  readonly namespaces: ReadonlySet<string> | null
}

/** What a wall of this scope has before it: each workload with its mark, in the order in which it is drawn. */
export interface WallScene {
  readonly taken: Snapshot
  readonly scope: WallScope
  readonly marked: readonly Marked[]
}

interface Marked {
  readonly workload: Assessed
  readonly mark: WallMark
}

/** Rows that are spelled out at most. */
const MOST_ROWS = 12

/** The first suspect outweighs any other trouble; below it, one's own doing comes before what others explain. */
const WEIGHTS: Readonly<Record<WallMark, number>> = {
  crit: 1_000,
  critOpen: 300,
  critVia: 100,
  warn: 30,
  warnVia: 10,
  ok: 0,
  none: 0,
  stale: 0,
}

export function sceneOf(taken: Snapshot, scope: WallScope): WallScene {
  const ranks = new Map(taken.judgement.suspects.map(({ id, rank }) => [id, rank]))
  const marked = [...taken.situation.assessment.workloads.values()]
    .filter(({ ref }) => scope.clusters?.has(ref.cluster) !== false && scope.namespaces?.has(ref.namespace) !== false)
    .map((workload) => ({ workload, mark: markOf(taken, workload, ranks) }))
    .sort((a, b) => order(a.workload, b.workload))
  return { taken, scope, marked }
}

function markOf(taken: Snapshot, workload: Assessed, ranks: ReadonlyMap<string, number>): WallMark {
  const { judgement } = taken
  const health = healthNow(taken.situation, workload)
  if (ranks.has(workload.id)) return 'crit'
  if (judgement.via.has(workload.id) && (health === 'crit' || health === 'warn')) return `${health}Via`
  if (workload.stale) return 'stale'
  return health === 'crit' ? 'critOpen' : health
}

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
  const suspects = suspectsIn(scene, byId)
  // Who is not explained by somebody else comes first when not all can be spelled out.
  const listed = rail.entries.flatMap((entry) => byId.get(entry.id) ?? [])
  const victims = listed.filter(({ mark }) => mark === 'critVia' || mark === 'warnVia')
  const chosen = listed.length <= MOST_ROWS ? listed : [...listed.filter((one) => !victims.includes(one)), ...victims]
  const shown = chosen.slice(0, MOST_ROWS)
  const rows = shown.map((one) => rowOf(taken, one, rail))
  const hero = heroOf(scene, suspects, byId)
  const spelled = new Set([hero.id, ...rows.map(({ id }) => id)])
  return {
    build,
    sentAt: time(nowSeconds),
    snapshot: { id: taken.id, at: time(taken.atSeconds), refreshSeconds: taken.refreshSeconds },
    hero,
    rows,
    more: countByCause(
      taken,
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

function rowOf(taken: Snapshot, { workload, mark }: Marked, rail: Rail): WallRow {
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
    via: row.via,
    recoveringSince: timeOrNull(entry?.recoveringSinceSeconds ?? null),
    trendSeconds: Array.from(row.trend.p99Seconds, (value) => (Number.isNaN(value) ? null : value)),
  }
}

/** Suspects that are on this wall, or hurt somebody who is. */
function suspectsIn({ taken, scope }: WallScene, byId: ReadonlyMap<string, Marked>): readonly Suspect[] {
  const { suspects } = taken.judgement
  if (scope.clusters === null && scope.namespaces === null) return suspects
  return suspects.filter(({ id, of, victims }) => [id, ...id.split('~'), of, ...victims].some((one) => byId.has(one)))
}

function heroOf(scene: WallScene, suspects: readonly Suspect[], byId: ReadonlyMap<string, Marked>): WallHero {
  const { taken, marked } = scene
  const clusters = clustersIn(scene)
  const [prime] = suspects
  const missing = clusters.filter(({ state }) => state !== 'ok' && state !== 'partial')
  if (clusters.length === 0 || clusters.every(({ state }) => state === 'down' || state === 'pending'))
    return { ...bare('blind', clusters.length === 0 ? taken.verdict.text : missingText(missing)) }
  // Suspects too weak for the sentence are not named here either.
  if (prime !== undefined && taken.verdict.suspect !== null) {
    const known = taken.situation.assessment.workloads.get(prime.id)
    const row = known === undefined ? null : workloadRow(taken.situation, taken.judgement, known)
    const problems = taken.judgement.problems.filter((ids) => suspects.some(({ id }) => ids.includes(id)))
    return {
      form: 'suspect',
      id: prime.id,
      text: taken.verdict.text,
      word: prime.word,
      ownShare: prime.share,
      p99Seconds: row?.reading.golden.latencySeconds.p99 ?? null,
      changeRatio: row?.changeRatio ?? null,
      since: timeOrNull(prime.onsetSeconds),
      victims: prime.victims.filter((id) => id !== prime.id),
      others: Math.max(0, problems.length - 1),
    }
  }
  const [worst] = marked.filter(({ mark }) => WEIGHTS[mark] > 0).sort((a, b) => WEIGHTS[b.mark] - WEIGHTS[a.mark])
  if (worst !== undefined) return worstOf(taken, byId.get(worst.workload.id) ?? worst, missing)
  if (missing.length > 0) return bare('partial', missingText(missing))
  // Where clusters come from an endpoint that does not tell, nobody knows how much is missing.
  if (taken.verdict.form === 'unknown') return bare('partial', taken.verdict.text)
  return bare('quiet', taken.verdict.text)
}

function worstOf(taken: Snapshot, { workload }: Marked, missing: Snapshot['clusters']): WallHero {
  const row = workloadRow(taken.situation, taken.judgement, workload)
  const why = missing.length === 0 ? 'the cause is not in what the metrics show' : missingText(missing)
  return {
    ...bare('trouble', why),
    id: workload.id,
    p99Seconds: row.reading.golden.latencySeconds.p99,
    changeRatio: row.changeRatio,
    since: timeOrNull(offSince(workload.trouble)),
  }
}

function bare(form: WallHero['form'], text: string): WallHero {
  const nothing = { word: null, ownShare: null, p99Seconds: null, changeRatio: null, since: null }
  return { form, id: null, text, ...nothing, victims: [], others: 0 }
}

function missingText(missing: Snapshot['clusters']): string {
  const words = { stale: 'has not answered', down: 'does not answer', pending: 'has not answered yet' }
  return missing
    .map(({ name, state, ageSeconds, reason }) => {
      const never = words[state as keyof typeof words] ?? 'answers in part'
      const said = ageSeconds === null ? never : `has not answered for ${lasting(ageSeconds)}`
      return `${name} ${said}${reason === null ? '' : ` (${reason})`}`
    })
    .join('; ')
}

function lasting(seconds: number): string {
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}

function clustersIn({ taken, scope }: WallScene): Snapshot['clusters'] {
  return taken.clusters.filter(({ name }) => scope.clusters?.has(name) !== false)
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

function countByCause({ judgement }: Snapshot, hidden: readonly Marked[]): WallFrame['more'] {
  const counts = new Map<string | null, number>()
  for (const { workload } of hidden) {
    const via = judgement.via.get(workload.id) ?? null
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

function order({ ref: a }: Assessed, { ref: b }: Assessed): number {
  return compare(a.cluster, b.cluster) || compare(a.namespace, b.namespace) || compare(localName(a), localName(b))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
