import { Since } from './since.ts'
import type { Gap } from './snapshot.ts'

/** Dates what a cluster lacks while it tells the rest: since the first snapshot in a row that lacked the same. */
export class GapsSince {
  readonly #since = new Since()

  /** The same gaps; `atSeconds`: of the snapshot they are of. */
  dated(gaps: readonly Gap[], atSeconds: number): Gap[] {
    const since = this.#since.note(
      gaps.map(({ what, why }) => `${what} ${why}`),
      atSeconds,
    )
    return gaps.map((gap, index) => ({ ...gap, sinceSeconds: since[index] ?? gap.sinceSeconds }))
  }

  /** The cluster tells nothing: what it lacks afterwards it lacks since then. */
  forget(): void {
    this.#since.note([], 0)
  }
}
