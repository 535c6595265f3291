import { PerWindow } from './per-window.ts'
import type { Reading } from './reading.ts'
import { Since } from './since.ts'
import type { Gap } from './snapshot.ts'

type Of = Pick<Reading, 'atSeconds' | 'windowSeconds'>

/**
 * Dates what a cluster lacks while it tells the rest: since the first snapshot in a row that lacked the same, of each
 * rate window by itself.
 */
export class GapsSince {
  readonly #since: PerWindow<Since>

  /** Windows that nobody looked at for so long are forgotten. */
  constructor(forSeconds: number) {
    this.#since = new PerWindow(forSeconds)
  }

  /** The same gaps: all that the snapshot lacks. */
  dated(of: Of, gaps: readonly Gap[]): Gap[] {
    return withDates(gaps, this.#of(of).note(gaps.map(nameOf), of.atSeconds))
  }

  /** The same where not all of the snapshot has come in: what it lacks beside these it lacks as it did before. */
  datedSoFar(of: Of, gaps: readonly Gap[]): Gap[] {
    return withDates(gaps, this.#of(of).noteSome(gaps.map(nameOf), of.atSeconds))
  }

  /** The cluster tells nothing: what it lacks afterwards it lacks since then. */
  forget(of: Of): void {
    this.dated(of, [])
  }

  #of({ atSeconds, windowSeconds }: Of): Since {
    const since = this.#since.get(windowSeconds) ?? new Since()
    this.#since.set(windowSeconds, atSeconds, since)
    return since
  }
}

function nameOf({ what, why }: Gap): string {
  return `${what} ${why}`
}

function withDates(gaps: readonly Gap[], since: readonly number[]): Gap[] {
  return gaps.map((gap, index) => ({ ...gap, sinceSeconds: since[index] ?? gap.sinceSeconds }))
}
