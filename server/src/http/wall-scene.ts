import type { WallMark } from '../contract/index.ts'
import type { Assessed } from '../domain/assess.ts'
import { localName } from '../domain/identity.ts'
import { healthNow } from '../domain/row.ts'
import type { Judgement } from '../domain/suspects.ts'
import { isWithin, judgementWithin, type Part } from '../domain/verdict-within.ts'
import type { Snapshot } from '../federation/snapshot.ts'

/** The part of the fleet that a wall shows, and the part outside of which it may not name anything. */
export interface WallScope extends Part {
  readonly limit: Part
}

/** What a wall of this scope has before it: each workload with its mark, in the order in which it is drawn. */
export interface WallScene {
  readonly taken: Snapshot
  readonly scope: WallScope
  /** What is judged of this part. */
  readonly judgement: Judgement
  readonly marked: readonly Marked[]
}

export interface Marked {
  readonly workload: Assessed
  readonly mark: WallMark
}

/** How much a workload of this mark deserves attention: the first suspect outweighs any other trouble; below it, one's own doing comes before what others explain. */
export const WEIGHTS: Readonly<Record<WallMark, number>> = {
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
    .filter(({ id }) => isWithin(scope, id))
    .map((workload) => ({ workload, mark: markOf(taken, workload, ranks) }))
    .sort((a, b) => order(a.workload, b.workload))
  return { taken, scope, judgement: judgementWithin(taken.judgement, scope), marked }
}

function markOf(taken: Snapshot, workload: Assessed, ranks: ReadonlyMap<string, number>): WallMark {
  const { judgement } = taken
  const health = healthNow(taken.situation, workload)
  if (ranks.has(workload.id)) return 'crit'
  if (judgement.via.has(workload.id) && (health === 'crit' || health === 'warn')) return `${health}Via`
  if (workload.stale) return 'stale'
  return health === 'crit' ? 'critOpen' : health
}

export function clustersIn({ taken, scope }: Pick<WallScene, 'taken' | 'scope'>): Snapshot['clusters'] {
  return taken.clusters.filter(({ name }) => scope.clusters?.has(name) !== false)
}

function order({ ref: a }: Assessed, { ref: b }: Assessed): number {
  return compare(a.cluster, b.cluster) || compare(a.namespace, b.namespace) || compare(localName(a), localName(b))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
