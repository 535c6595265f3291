import type { Answered } from './ask-now.ts'
import { isTimeAgain } from './instants.ts'
import { PerWindow } from './per-window.ts'
import type { Reading } from './reading.ts'

/** What was told last, be it not everything. */
interface Told {
  /** Unix seconds. */
  readonly atSeconds: number
  readonly answered: Answered
}

/** What stands while the load cap leaves a cluster alone, of each rate window. */
export class Rest {
  readonly #told: PerWindow<Told>

  constructor(goodForSeconds: number) {
    this.#told = new PerWindow(goodForSeconds)
  }

  /** `answered`: as it was asked for. What completes it may be newer when it is shown again. */
  told({ atSeconds, windowSeconds }: Reading, { byDialect: _, questions: __, ...answered }: Answered): void {
    this.#told.set(windowSeconds, atSeconds, { atSeconds, answered })
  }

  /** What stands at the reading's instant where the cluster rests so long; null: it is time again. */
  standing({ atSeconds, windowSeconds }: Reading, restsForSeconds: number): Told | null {
    const told = this.#told.get(windowSeconds)
    return told === null || isTimeAgain(atSeconds - told.atSeconds, restsForSeconds) ? null : told
  }
}
