import type { PercentileTrail } from '../domain/bucket-history.ts'
import type { Observation } from '../domain/observation.ts'
import { quantileAt } from '../domain/quantile-at.ts'
import { hasBuckets } from '../domain/traffic.ts'

/** For as long as a sparkline is. */
export const TRAIL_SECONDS = 1_900
/** Names that come and go are forgotten once there are so many times more of them than workloads, and some. */
const NAMES_A_WORKLOAD = 2
const SOME_NAMES = 64

/** 99th percentiles of one instant (unix seconds), of the workloads at these places in a list of names, ascending. */
interface Met {
  readonly atSeconds: number
  readonly places: Uint32Array
  readonly p99Seconds: Float64Array
}

/** A trail as it is written down. */
export interface KeptTrail {
  /** Workload ids by place. */
  readonly names: readonly string[]
  /** The oldest first. */
  readonly met: readonly Met[]
}

/**
 * 99th percentiles by instant. In columns: half an hour of a thousand workloads is some
 * 60 instants, and tables by name would take three times the memory.
 */
export class Trail implements PercentileTrail {
  #places = new Map<string, number>()
  #met: readonly Met[] = []

  /** All of it. Not to be changed. */
  get kept(): KeptTrail {
    return { names: [...this.#places.keys()], met: this.#met }
  }

  /** What a process before this one met, unless something was met since. Throws where it is in another shape. */
  recall({ names, met }: KeptTrail): void {
    if (this.#met.length > 0) return
    if (!met.every(({ places, p99Seconds }) => places.length === p99Seconds.length)) throw new Error('not a trail')
    this.#places = new Map(names.map((name, place) => [name, place]))
    this.#met = met
  }

  add(atSeconds: number, { inbound }: Observation): void {
    const byPlace = new Float64Array(this.#places.size + inbound.size).fill(Number.NaN)
    let count = 0
    for (const [id, { total }] of inbound) {
      if (!hasBuckets(total) || total.bucketsAgeSeconds !== undefined) continue
      const value = quantileAt(0.99, total, 0)
      if (value === null) continue
      byPlace[this.#placeOf(id)] = value
      count += 1
    }
    if (count === 0) return
    const same = this.#met.find((one) => one.atSeconds === atSeconds)
    same?.places.forEach((place, index) => {
      if (Number.isNaN(byPlace[place])) byPlace[place] = same.p99Seconds[index] ?? Number.NaN
    })
    const kept = this.#met.filter((one) => one !== same && one.atSeconds > atSeconds - TRAIL_SECONDS)
    this.#met = [...kept, metAt(atSeconds, byPlace)].sort((a, b) => a.atSeconds - b.atSeconds)
    if (this.#places.size > NAMES_A_WORKLOAD * inbound.size + SOME_NAMES) this.#forgetNames()
  }

  p99(id: string, fromSeconds: number, toSeconds: number): number | null {
    const place = this.#places.get(id)
    if (place === undefined) return null
    for (let index = this.#lastUpTo(toSeconds); index >= 0; index -= 1) {
      const met = this.#met[index]
      if (met === undefined || met.atSeconds <= fromSeconds) return null
      const value = met.p99Seconds[indexOf(met.places, place)]
      if (value !== undefined) return value
    }
    return null
  }

  #placeOf(id: string): number {
    const known = this.#places.get(id)
    if (known !== undefined) return known
    const place = this.#places.size
    this.#places.set(id, place)
    return place
  }

  /** Those of workloads that are in no instant any more. */
  #forgetNames(): void {
    const used = new Set(this.#met.flatMap(({ places }) => [...places]))
    const names = [...this.#places].filter(([, place]) => used.has(place))
    const moved = new Map(names.map(([, place], now) => [place, now]))
    // In the order they were in, so that places still ascend.
    this.#places = new Map(names.map(([name], place) => [name, place]))
    this.#met = this.#met.map((met) => ({ ...met, places: met.places.map((place) => moved.get(place) ?? 0) }))
  }

  /** A sparkline asks for dozens of instants of each workload: halving finds them in a long trail. */
  #lastUpTo(atSeconds: number): number {
    let [low, high] = [0, this.#met.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#met[middle]?.atSeconds ?? 0) <= atSeconds) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

/** `byPlace`: NaN where there is none. */
function metAt(atSeconds: number, byPlace: Float64Array): Met {
  const places = Uint32Array.from(byPlace.keys()).filter((place) => !Number.isNaN(byPlace[place]))
  return { atSeconds, places, p99Seconds: Float64Array.from(places, (place) => byPlace[place] ?? Number.NaN) }
}

/** Of an ascending list; -1: not in it. Mostly everybody is there, each at his own place. */
function indexOf(places: Uint32Array, place: number): number {
  if (places[place] === place) return place
  let [low, high] = [0, Math.min(place, places.length)]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < place) low = middle + 1
    else high = middle
  }
  return places[low] === place ? low : -1
}
