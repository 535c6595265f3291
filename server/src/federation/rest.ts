import type { Answered } from './ask-now.ts'
import { longestApart } from './instants.ts'
import { PerWindow } from './per-window.ts'
import type { Reading } from './reading.ts'

/** What was told last, be it not everything. */
interface Told {
  /** Unix seconds. */
  readonly atSeconds: number
  /** From when the rest is counted. */
  readonly restsFromSeconds: number
  readonly answered: Answered
}

type Of = Pick<Reading, 'atSeconds' | 'windowSeconds'>

/**
 * What stands while the load cap leaves a cluster alone, of each rate window. It may be asked only with a snapshot, so
 * that it rests a little longer than it has to: that is taken off the next rest. On the average it is asked just as often
 * as it may be, be a rest hardly longer than a refresh, and at no time more often.
 */
export class Rest {
  readonly #told: PerWindow<Told>
  readonly #latestSeconds: number

  constructor(goodForSeconds: number, refreshSeconds: number) {
    this.#told = new PerWindow(goodForSeconds)
    this.#latestSeconds = longestApart(refreshSeconds)
  }

  /**
   * `answered`: as it was asked for. What completes it may be newer when it is shown again. `restsForSeconds`: how long
   * it had to rest before; null: not at all.
   */
  told(
    { atSeconds, windowSeconds }: Of,
    { byDialect: _, questions: __, ...answered }: Answered,
    restsForSeconds: number | null,
  ): void {
    const before = this.#told.get(windowSeconds)
    const restsFromSeconds =
      before?.atSeconds === atSeconds ? before.restsFromSeconds : this.#restsFrom(before, atSeconds, restsForSeconds)
    this.#told.set(windowSeconds, atSeconds, { atSeconds, restsFromSeconds, answered })
  }

  /** What stands at the reading's instant where the cluster rests so long; null: it is time again. */
  standing({ atSeconds, windowSeconds }: Of, restsForSeconds: number): Told | null {
    const told = this.#told.get(windowSeconds)
    // What is of a time to come is of a clock that was set back, and would rest until that has caught up.
    if (told === null || atSeconds < told.atSeconds) return null
    return atSeconds < told.restsFromSeconds + restsForSeconds ? told : null
  }

  #restsFrom(before: Told | null, atSeconds: number, restsForSeconds: number | null): number {
    if (before === null || restsForSeconds === null) return atSeconds
    const dueSeconds = before.restsFromSeconds + restsForSeconds
    const lateSeconds = atSeconds - dueSeconds
    // Longer than until the next snapshot: nobody looked meanwhile, and nothing of that is saved up.
    return lateSeconds > 0 && lateSeconds <= this.#latestSeconds ? dueSeconds : atSeconds
  }
}
