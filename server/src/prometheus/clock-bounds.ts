/** How far another clock is ahead of ours, and how exactly that is known. */
export interface ClockSkew {
  readonly seconds: number
  /** The true value is no further off than this. */
  readonly withinSeconds: number
}

/** Seconds that the other clock is ahead of ours, at least and at most. */
interface Bounds {
  readonly least: number
  readonly most: number
}

/** Seconds that two clocks may drift apart in a second: the tolerance of RFC 5905 (NTP), 7.2. */
const DRIFT = 15e-6

/**
 * Tells a clock by the `Date` of its answers, which is of whole seconds. One of them leaves more than a second open; of
 * many, which come at any part of a second, what all of them allow is ever less (Marzullo's intersection, as in NTP).
 */
export class ClockBounds {
  #bounds: Bounds | null = null
  #notedAtSeconds = 0

  /**
   * `date`: a `Date` header; `sentAtSeconds` and `receivedAtSeconds`: by our clock, when its question was sent and its
   * answer began. It was written between the two.
   */
  note(date: string, sentAtSeconds: number, receivedAtSeconds: number): void {
    const atSeconds = Date.parse(date) / 1_000
    // Of a clock of ours that was set back meanwhile nothing can be told.
    if (Number.isNaN(atSeconds) || receivedAtSeconds < sentAtSeconds) return
    const told = { least: atSeconds - receivedAtSeconds, most: atSeconds + 1 - sentAtSeconds }
    const drift = DRIFT * Math.abs(receivedAtSeconds - this.#notedAtSeconds)
    this.#bounds = allowedBy(this.#bounds, drift, told) ?? told
    this.#notedAtSeconds = receivedAtSeconds
  }

  /** Null before the first answer. */
  get skew(): ClockSkew | null {
    if (this.#bounds === null) return null
    const { least, most } = this.#bounds
    return { seconds: (least + most) / 2, withinSeconds: (most - least) / 2 }
  }
}

/** What both allow; null where there is nothing, because one of the clocks was set. */
function allowedBy(known: Bounds | null, drift: number, told: Bounds): Bounds | null {
  if (known === null) return null
  const least = Math.max(known.least - drift, told.least)
  const most = Math.min(known.most + drift, told.most)
  return least <= most ? { least, most } : null
}
