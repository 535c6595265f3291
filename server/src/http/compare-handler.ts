import type { Compare, CompareScope, CompareSideAnswer, CompareSideScope } from '../contract/index.ts'
import { readSide, type SideRead, type SideWanted } from '../federation/compare-sides.ts'
import type { SnapshotEngine } from '../federation/engine.ts'
import { SharedReads } from '../federation/shared-reads.ts'
import type { Snapshot } from '../federation/snapshot.ts'
import { type SidePlace, sidePlace } from './compare-side-text.ts'
import type { HandlerRequest, Handlers } from './mount.ts'
import { invalidRequest } from './mount.ts'
import { presentCompare, presentOneSide } from './present-compare.ts'
import { type ResolvedScope, resolveScope } from './scope-of.ts'

const LONGEST_SECONDS = 6 * 3_600
const SHORTEST_SECONDS = 60
/** Long enough for a page that asks for both sides and for each of them. */
const SHARED_MS = 5_000
/** Windows that begin and end this close to each other are read once. */
const ALIKE_SECONDS = 5

interface CompareDeps {
  readonly engine: SnapshotEngine
  readonly clock: () => number
  readonly take: (query: CompareScope, signal: AbortSignal) => Promise<{ scope: ResolvedScope; taken: Snapshot }>
}

/** Two of anything, together or each on its own. Without `b` it is what `a` was, as long before. */
export function compareHandler({ engine, clock, take }: CompareDeps): Pick<Handlers, 'compare' | 'compareSide'> {
  const reads = new SharedReads<SideRead>(SHARED_MS)
  const read = (wanted: SideWanted, windowSeconds: number, signal: AbortSignal) =>
    reads.read(keyOf(wanted, windowSeconds), signal, (shared) =>
      readSide(engine.readers, wanted, windowSeconds, shared),
    )
  return {
    async compare({ query, signal }: HandlerRequest<CompareScope>): Promise<Compare> {
      const { scope, taken } = await take(query, signal)
      const [wantedA, wantedB] = (['a', 'b'] as const).map((side) => wantedOf(side, query, { scope, taken }, clock()))
      if (wantedA === undefined || wantedB === undefined) throw new Error('two sides were asked for')
      const [a, b] = await Promise.all([
        read(wantedA, taken.windowSeconds, signal),
        read(wantedB, taken.windowSeconds, signal),
      ])
      return presentCompare(taken, { a, b, texts: [query.a ?? '*', query.b ?? ''] }, engine.goals)
    },

    async compareSide({ query, signal }: HandlerRequest<CompareSideScope>): Promise<CompareSideAnswer> {
      const { scope, taken } = await take(query, signal)
      const wanted = wantedOf(query.side, query, { scope, taken }, clock())
      const side = await read(wanted, taken.windowSeconds, signal)
      return presentOneSide(taken, side, query[query.side] ?? (query.side === 'a' ? '*' : ''), engine.goals)
    },
  }
}

function keyOf({ fromSeconds, toSeconds, ...place }: SideWanted, windowSeconds: number): string {
  const near = [fromSeconds, toSeconds].map((seconds) => Math.round(seconds / ALIKE_SECONDS))
  return JSON.stringify([place, near, windowSeconds])
}

function wantedOf(
  side: 'a' | 'b',
  { a, b }: CompareScope,
  { scope, taken }: { readonly scope: ResolvedScope; readonly taken: Snapshot },
  nowSeconds: number,
): SideWanted {
  const main = { fromSeconds: scope.fromSeconds, toSeconds: Math.min(scope.toSeconds, taken.atSeconds) }
  const names = taken.clusters.map(({ name }) => name)
  const given = side === 'b' && b !== undefined ? { text: b, side } : { text: a ?? '*', side: 'a' as const }
  const wanted = placeIn(sidePlace(given.text, given.side), main, names, nowSeconds, given.side)
  if (given.side === side) return wanted
  const { fromSeconds, toSeconds } = wanted
  return { ...wanted, fromSeconds: 2 * fromSeconds - toSeconds, toSeconds: fromSeconds }
}

function placeIn(
  { cluster, namespace, name, version, window }: SidePlace,
  main: { fromSeconds: number; toSeconds: number },
  known: readonly string[],
  nowSeconds: number,
  pointer: 'a' | 'b',
): SideWanted {
  const fail = (detail: string) => invalidRequest([{ pointer: `/query/${pointer}`, detail }])
  if (cluster !== null && !known.includes(cluster))
    throw fail(`cluster ${cluster} is not configured here (known: ${known.join(', ')})`)
  const asked = window === null ? main : resolveScope(window, nowSeconds, null)
  const toSeconds = Math.min(asked.toSeconds, nowSeconds)
  const seconds = toSeconds - asked.fromSeconds
  if (!(seconds >= SHORTEST_SECONDS && seconds <= LONGEST_SECONDS)) throw fail('compare 1 minute to 6 hours')
  const clusters = cluster === null ? known : [cluster]
  return { clusters, namespace, name, version, fromSeconds: asked.fromSeconds, toSeconds }
}
