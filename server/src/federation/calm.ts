import type { ClusterView } from '../domain/assess.ts'
import type { Picture } from '../domain/picture.ts'
import { CalmVote } from './calm-vote.ts'
import type { ClusterReader } from './cluster-reader.ts'
import { oldestShown } from './instants.ts'
import type { Reading } from './reading.ts'

/** After so many votes in a row that were for asking, the question is not put for so many snapshots. */
const IN_VAIN = 3
const LEFT_OUT = 10

/** Decides of each snapshot whether the calls that were asked for last may stand. */
export class Calm {
  readonly #patienceSeconds: number
  #inVain = 0
  #pastCameAt = Number.NEGATIVE_INFINITY

  /** Whoever takes longer than `patienceSeconds` to tell what its workloads receive does not hold up the calls of others. */
  constructor(patienceSeconds: number) {
    this.#patienceSeconds = patienceSeconds
  }

  /** `last`: what was drawn when calls were asked for last. Null: they are asked for at once, with all the rest. */
  vote(readers: readonly ClusterReader[], reading: Reading, last: Picture | null): CalmVote | null {
    if (last === null || this.#lacksPast(last) || isBrewing(last) || !mayStand(readers, reading, last)) return null
    if (this.#inVain >= IN_VAIN) {
      this.#inVain = this.#inVain >= IN_VAIN + LEFT_OUT ? 0 : this.#inVain + 1
      return null
    }
    return new CalmVote(readers.length, this.#patienceSeconds, inTrouble(last))
  }

  /**
   * What is usual came in after calls were drawn that were asked for at this instant (unix seconds): that picture does not
   * stand without it.
   */
  pastCameFor(atSeconds: number): void {
    this.#pastCameAt = Math.max(this.#pastCameAt, atSeconds)
  }

  #lacksPast({ situation }: Picture): boolean {
    return situation.atSeconds <= this.#pastCameAt
  }

  /** What came of it. */
  decided(asked: boolean): void {
    this.#inVain = asked ? this.#inVain + 1 : 0
  }
}

/**
 * Where all of them hold the calls of the picture, no older than percentiles are shown, and where asking costs something: a
 * few buckets come with each refresh, and so do calls there.
 */
function mayStand(readers: readonly ClusterReader[], reading: Reading, { situation, views }: Picture): boolean {
  // Clusters come and go, and one that was silent is drawn anew as soon as it answers.
  const same = ({ name, state, ageSeconds }: ClusterView, index: number) =>
    name === readers[index]?.name && state === 'current' && ageSeconds === 0
  if (views.length !== readers.length || !views.every(same)) return false
  const { atSeconds, windowSeconds } = situation
  if (windowSeconds !== reading.windowSeconds) return false
  if (!readers.every(({ lanes }) => lanes.callsAt(reading) === atSeconds)) return false
  const oldest = readers.map(({ lanes: { pace } }) =>
    oldestShown(pace.bucketRefreshSeconds, Math.max(pace.refreshSeconds, pace.apartSeconds)),
  )
  if (reading.atSeconds - atSeconds > Math.min(...oldest)) return false
  return readers.some(({ lanes }) => !lanes.fewBuckets)
}

/** Who is in trouble, who is held to be the cause, and whoever lies between them. */
function inTrouble({ judgement: { suspects, affected } }: Picture): ReadonlySet<string> {
  return new Set([...affected, ...suspects.flatMap(({ id, path, victims }) => [id, ...path, ...victims])])
}

/** Whoever is out of his range and not yet named for it is judged anew with each refresh: that tells how long it lasts. */
function isBrewing({ situation }: Picture): boolean {
  for (const { trouble } of situation.assessment.workloads.values()) {
    if (trouble.latencySoon !== trouble.latency) return true
  }
  return false
}
