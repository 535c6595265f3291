import { type Axis, instantOf } from '../domain/baseline.ts'
import { type PackedObservation, packing, unpackObservation } from '../domain/packed-observation.ts'
import type { Turns } from '../domain/turns.ts'
import type { ClusterLanes } from './cluster-lanes.ts'
import type { ClusterPast } from './cluster-past.ts'
import { inTurns } from './in-turns.ts'
import { axisTo } from './instants.ts'
import type { Kept } from './kept.ts'
import type { LastGood } from './reading-view.ts'
import type { KeptTrail } from './trail.ts'

interface PackedHistory {
  readonly axis: Axis
  readonly observation: PackedObservation
}

/** What the next process is to know of a cluster's past, of one rate window. */
export interface KeptPast {
  readonly windowSeconds: number
  readonly rates: readonly (PackedHistory & { readonly dialect: string })[]
  /** The buckets that usual values are made of; null: not known. */
  readonly usual: PackedHistory | null
  readonly trail: KeptTrail
}

/** Some thousand workloads with their calls. What is larger is not written down: it would be there three times. */
const MOST_BYTES = 64 * 2 ** 20

/**
 * What usual values and trends of a cluster are made of, kept like its last good values where a next process finds it.
 * A cluster that answers is asked for it; of a silent one there is nobody to ask.
 */
export class PastToKeep {
  readonly #kept: Kept<KeptPast>
  readonly #past: ClusterPast
  readonly #lanes: ClusterLanes

  constructor(kept: Kept<KeptPast>, past: ClusterPast, lanes: ClusterLanes) {
    this.#kept = kept
    this.#past = past
    this.#lanes = lanes
  }

  /** Writes down what is known up to the last good answer. Never rejects. */
  async keep(good: LastGood): Promise<void> {
    // What does not fit into memory a second time is as good as too large.
    try {
      const past = await inTurns(this.#knowing(good))
      const histories = past.usual === null ? past.rates : [...past.rates, past.usual]
      const bytes = histories.reduce((sum, { observation }) => sum + observation.columns.byteLength, 0)
      if (bytes <= MOST_BYTES) await this.#kept.save(() => past)
    } catch {}
  }

  /** Takes over what was kept, where nothing is known yet. Never rejects: another build may have kept something else. */
  async recall(): Promise<void> {
    const found = await this.#kept.load()
    if (found === null) return
    try {
      const { windowSeconds, rates, usual, trail } = found
      for (const { dialect, axis, observation } of rates) {
        this.#past.ratesOf(dialect, { windowSeconds, axis }).recall(axis, unpackObservation(observation))
      }
      if (usual !== null) {
        this.#lanes.recallUsual(windowSeconds, { ...usual, observation: unpackObservation(usual.observation) })
      }
      this.#lanes.trail(windowSeconds).recall(trail)
    } catch {}
  }

  *#knowing({ atSeconds, windowSeconds, dialects }: LastGood): Turns<KeptPast> {
    const axis = axisTo(atSeconds, windowSeconds)
    const rates: (PackedHistory & { readonly dialect: string })[] = []
    for (const dialect of dialects) {
      const store = this.#past.ratesOf(dialect, { windowSeconds, axis })
      const known = upTo(axis, store.wholeTo)
      const observation = known === null ? null : yield* store.looking(known)
      if (known === null || observation === null) continue
      rates.push({ dialect, axis: known, observation: yield* packing(observation) })
    }
    const known = this.#lanes.usual(windowSeconds)
    const usual = known === null ? null : { axis: known.axis, observation: yield* packing(known.observation) }
    return { windowSeconds, rates, usual, trail: this.#lanes.trail(windowSeconds).kept }
  }

  /** The cluster answers. */
  async forget(): Promise<void> {
    await this.#kept.forget()
  }
}

/** The part of the axis that is known; null: nothing of it. */
function upTo(axis: Axis, knownTo: number | null): Axis | null {
  if (knownTo === null || knownTo < axis.fromSeconds) return null
  const steps =
    Math.round((Math.min(knownTo, instantOf(axis, axis.steps - 1)) - axis.fromSeconds) / axis.stepSeconds) + 1
  return { ...axis, steps }
}
