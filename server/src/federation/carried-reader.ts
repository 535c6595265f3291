import type { Axis } from '../domain/baseline.ts'
import { type Carried, carriedWithin } from '../domain/failover/carried.ts'
import { type Goal, goalsFor } from '../domain/goals.ts'
import { parseWorkloadId } from '../domain/identity.ts'
import type { Gap } from './snapshot.ts'
import type { PastOf } from './workload-parts.ts'

const DAY_SECONDS = 86_400
/** Rates are over steps of one of these lengths: a peak of minutes is what a cluster has to stand. */
const STEPS_SECONDS = [120, 300, 600, 900, 1_800, 3_600]
const MOST_STEPS = 1_100
/** A selector of more names makes answers too large. */
const AT_ONCE = 10
/** Of a cluster, so many are looked up: those that get most. */
const MOST_LOOKED_UP = 60
/** Days change little in this time. */
const GOOD_FOR_SECONDS = 600
const MOST_REMEMBERED = 5_000

export interface CarriedAnswer {
  readonly carried: ReadonlyMap<string, Carried>
  readonly gaps: readonly Gap[]
  /** Workloads that were not looked up. */
  readonly left: number
}

interface Known {
  readonly carried: Carried
  readonly untilSeconds: number
}

/** Looks up what workloads have carried within their goals over the last days. Asked when somebody wants to know. */
export class CarriedReader {
  readonly #goals: readonly Goal[]
  /** By workload, days and the day of the question. */
  readonly #known = new Map<string, Known>()

  constructor(goals: readonly Goal[]) {
    this.#goals = goals
  }

  /** `ids`: those that matter most first. What a cluster does not answer becomes a gap. */
  async read(
    readers: readonly PastOf[],
    ids: readonly string[],
    { days, atSeconds }: { readonly days: number; readonly atSeconds: number },
    signal: AbortSignal,
  ): Promise<CarriedAnswer> {
    const axis = longAxis(days, atSeconds)
    const read = await Promise.all(
      readers.map(async (reader) => {
        const mine = ids.filter((id) => parseWorkloadId(id)?.cluster === reader.name)
        const found = await this.#readOf(reader, mine.slice(0, MOST_LOOKED_UP), axis, signal)
        return { ...found, left: Math.max(0, mine.length - MOST_LOOKED_UP) }
      }),
    )
    return {
      carried: new Map(read.flatMap(({ carried }) => [...carried])),
      gaps: read.flatMap(({ gaps }) => gaps),
      left: read.reduce((sum, one) => sum + one.left, 0),
    }
  }

  async #readOf(
    reader: PastOf,
    ids: readonly string[],
    axis: Axis,
    signal: AbortSignal,
  ): Promise<{ carried: Map<string, Carried>; gaps: Gap[] }> {
    const carried = new Map<string, Carried>()
    const toSeconds = axis.fromSeconds + (axis.steps - 1) * axis.stepSeconds
    const keyOf = (id: string) => `${id} ${axis.steps} ${axis.stepSeconds}`
    for (const id of ids) {
      const known = this.#known.get(keyOf(id))
      if (known !== undefined && toSeconds < known.untilSeconds && toSeconds >= known.untilSeconds - GOOD_FOR_SECONDS)
        carried.set(id, known.carried)
    }
    const missing = ids.filter((id) => !carried.has(id))
    for (let from = 0; from < missing.length; from += AT_ONCE) {
      const part = missing.slice(from, from + AT_ONCE)
      const refs = part.flatMap((id) => parseWorkloadId(id) ?? [])
      const goals = part.map((id) => goalsFor(this.#goals, id))
      const withBuckets = goals.some((own) => Object.keys(own?.latencySeconds ?? {}).some((name) => name !== 'mean'))
      const read = await reader.past.workloads(refs, axis, withBuckets, signal)
      if ('error' in read) {
        const { kind, message } = read.error
        return {
          carried,
          gaps: [{ cluster: reader.name, what: 'days', why: kind, detail: message, sinceSeconds: toSeconds }],
        }
      }
      part.forEach((id, at) => {
        const traffic = read.inbound.get(id)?.total
        if (traffic === undefined) return
        const found = carriedWithin(traffic, axis, goals[at] ?? null)
        carried.set(id, found)
        this.#remember(keyOf(id), { carried: found, untilSeconds: toSeconds + GOOD_FOR_SECONDS })
      })
    }
    return { carried, gaps: [] }
  }

  #remember(key: string, known: Known): void {
    this.#known.delete(key)
    this.#known.set(key, known)
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_REMEMBERED) break
      this.#known.delete(oldest)
    }
  }
}

/** Steps as short as their number allows, up to an instant (unix seconds). */
function longAxis(days: number, atSeconds: number): Axis {
  const span = days * DAY_SECONDS
  const stepSeconds = STEPS_SECONDS.find((seconds) => span / seconds <= MOST_STEPS) ?? 3_600
  const last = Math.floor(atSeconds / stepSeconds) * stepSeconds
  const steps = Math.floor(span / stepSeconds)
  return { fromSeconds: last - (steps - 1) * stepSeconds, stepSeconds, steps }
}
