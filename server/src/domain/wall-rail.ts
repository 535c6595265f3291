/** The worst workloads in an order that eyes can follow: who is on it and where changes slowly, on purpose. */

/** One workload at one evaluation. `score`: how much it deserves attention; zero or less: healthy. */
export interface RailCandidate {
  readonly id: string
  readonly score: number
}

export interface RailEntry {
  readonly id: string
  readonly score: number
  /** Healthy since then (unix seconds); null while it is not. */
  readonly recoveringSinceSeconds: number | null
}

export interface Rail {
  readonly entries: readonly RailEntry[]
  /** Bad once, not yet on the rail. */
  readonly waiting: ReadonlySet<string>
  readonly swappedAtSeconds: number
  /** Null: nothing was evaluated yet. */
  readonly evaluatedAtSeconds: number | null
}

export const EMPTY_RAIL: Rail = {
  entries: [],
  waiting: new Set(),
  swappedAtSeconds: Number.NEGATIVE_INFINITY,
  evaluatedAtSeconds: null,
}

/** A workload that is back in its usual range stays for this long. */
export const RECOVERING_SECONDS = 300
/** Neighbours change places only when one is worse by this factor ... */
const SWAP_FACTOR = 1.2
/** ... and not more often than this. */
const SWAP_SECONDS = 30

/**
 * The rail after one more evaluation at `nowSeconds`. Enters who is bad at two evaluations in a row (at the very first
 * one everybody who is bad: after a restart nothing may be missing); leaves who was healthy for five minutes, or is gone.
 * The same instant evaluated again, with a late cluster's answer, counts as one evaluation.
 */
export function nextRail(rail: Rail, candidates: readonly RailCandidate[], nowSeconds: number): Rail {
  const again = rail.evaluatedAtSeconds === nowSeconds
  const first = rail.evaluatedAtSeconds === null
  const scores = new Map(candidates.map(({ id, score }) => [id, score]))
  const kept = rail.entries.flatMap((entry) => {
    const score = scores.get(entry.id)
    if (score === undefined) return []
    return stillThere(entry, score, nowSeconds)
  })
  const onIt = new Set(kept.map(({ id }) => id))
  const bad = candidates.filter(({ id, score }) => score > 0 && !onIt.has(id))
  const entering = bad.filter(({ id }) => first || (rail.waiting.has(id) && !again))
  const entered = new Set(entering.map(({ id }) => id))
  const waiting = bad.filter(({ id }) => !entered.has(id)).map(({ id }) => id)
  const placed = entering
    .toSorted(byScore)
    .reduce<readonly RailEntry[]>(
      (list, { id, score }) => insert(list, { id, score, recoveringSinceSeconds: null }),
      [...kept],
    )
  const maySwap = nowSeconds - rail.swappedAtSeconds >= SWAP_SECONDS
  const entries = maySwap ? settled(placed) : placed
  const swapped = entries.some(({ id }, index) => placed[index]?.id !== id)
  return {
    entries,
    waiting: new Set(waiting),
    swappedAtSeconds: swapped ? nowSeconds : rail.swappedAtSeconds,
    evaluatedAtSeconds: nowSeconds,
  }
}

function stillThere(entry: RailEntry, score: number, nowSeconds: number): RailEntry[] {
  if (score > 0) return [{ id: entry.id, score, recoveringSinceSeconds: null }]
  const since = entry.recoveringSinceSeconds ?? nowSeconds
  return nowSeconds - since >= RECOVERING_SECONDS ? [] : [{ id: entry.id, score: 0, recoveringSinceSeconds: since }]
}

/** Before the first that deserves less, so that nobody who was there changes places. */
function insert(list: readonly RailEntry[], entry: RailEntry): readonly RailEntry[] {
  const at = list.findIndex(({ score }) => score < entry.score)
  return at < 0 ? [...list, entry] : list.toSpliced(at, 0, entry)
}

/** Neighbours swap until none is clearly worse than the one above it. */
function settled(list: readonly RailEntry[]): readonly RailEntry[] {
  const sorted = [...list]
  for (let round = 0; round < sorted.length; round += 1) {
    let moved = false
    for (let index = 1; index < sorted.length; index += 1) {
      const above = sorted[index - 1]
      const below = sorted[index]
      if (above === undefined || below === undefined || below.score <= above.score * SWAP_FACTOR) continue
      sorted[index - 1] = below
      sorted[index] = above
      moved = true
    }
    if (!moved) break
  }
  return sorted
}

function byScore(a: RailCandidate, b: RailCandidate): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1)
}
