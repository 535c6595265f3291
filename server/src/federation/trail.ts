import type { PercentileTrail } from '../domain/bucket-history.ts'
import type { Observation } from '../domain/observation.ts'
import { quantileAt } from '../domain/quantile-at.ts'
import { hasBuckets } from '../domain/traffic.ts'

const TRAIL_SECONDS = 1_900

/** 99th percentiles of one instant (unix seconds), by workload. */
export interface Met {
  readonly atSeconds: number
  readonly p99: Map<string, number>
}

/** 99th percentiles by instant, for as long as a sparkline is. */
export class Trail implements PercentileTrail {
  #met: readonly Met[] = []

  /** All of it, the oldest first. Not to be changed. */
  get met(): readonly Met[] {
    return this.#met
  }

  /** What a process before this one met, unless something was met since. */
  recall(met: readonly Met[]): void {
    if (this.#met.length === 0) this.#met = met
  }

  add(atSeconds: number, { inbound }: Observation): void {
    const p99 = new Map<string, number>()
    for (const [id, { total }] of inbound) {
      if (!hasBuckets(total) || total.bucketsAgeSeconds !== undefined) continue
      const value = quantileAt(0.99, total, 0)
      if (value !== null) p99.set(id, value)
    }
    if (p99.size === 0) return
    const same = this.#met.find((one) => one.atSeconds === atSeconds)
    if (same !== undefined) {
      for (const [id, value] of p99) same.p99.set(id, value)
      return
    }
    const kept = this.#met.filter((one) => one.atSeconds > atSeconds - TRAIL_SECONDS)
    this.#met = [...kept, { atSeconds, p99 }].sort((a, b) => a.atSeconds - b.atSeconds)
  }

  p99(id: string, fromSeconds: number, toSeconds: number): number | null {
    for (let index = this.#lastUpTo(toSeconds); index >= 0; index -= 1) {
      const met = this.#met[index]
      if (met === undefined || met.atSeconds <= fromSeconds) return null
      const value = met.p99.get(id)
      if (value !== undefined) return value
    }
    return null
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
