import type { Picture } from '../domain/picture.ts'
import { preparedRows } from '../domain/row.ts'
import type { Turns } from '../domain/turns.ts'
import type { ClusterReading } from './cluster-reading.ts'
import { inTurns } from './in-turns.ts'
import type { Around } from './surroundings.ts'

interface Drawn {
  readonly picture: Picture
  readonly around: Around
}

interface Drawing {
  readonly picture: Turns<Picture>
  readonly around: Around
}

/**
 * The picture of one snapshot, drawn while percentiles are still on their way: joining and judging need none, and the
 * time in which the clusters' buckets are waited for is free. Draws once, when everybody has told what comes first.
 */
export class EarlyPicture {
  readonly #told: (ClusterReading | undefined)[]
  readonly #draw: (readings: readonly ClusterReading[]) => Drawing
  readonly #signal: AbortSignal
  #whole = 0
  #drawn: Promise<Drawn | null> | null = null

  /** `count`: of clusters. */
  constructor(count: number, signal: AbortSignal, draw: (readings: readonly ClusterReading[]) => Drawing) {
    this.#told = new Array(count).fill(undefined)
    this.#draw = draw
    this.#signal = signal
  }

  /** Once it is drawn, if that has begun. Null: it was not, because nothing was waited for. */
  async drawn(): Promise<Drawn | null> {
    return this.#drawn
  }

  /** What a cluster has told so far. */
  told(index: number, reading: ClusterReading): void {
    if (this.#told[index] !== undefined) return
    this.#told[index] = reading
    const all = this.#told.filter((one) => one !== undefined)
    // What else came in with it is read first: it may be that nothing is left to wait for.
    if (all.length === this.#told.length) setImmediate(() => this.#drawFrom(all))
  }

  /** All that a cluster has to tell. */
  arrived(index: number, reading: ClusterReading): void {
    this.#whole += 1
    this.told(index, reading)
  }

  #drawFrom(readings: readonly ClusterReading[]): void {
    if (this.#whole === this.#told.length || this.#signal.aborted) return
    this.#drawn = this.#drawInTurns(readings)
  }

  /** What fails here is done again at the end, where somebody waits who can be told. */
  async #drawInTurns(readings: readonly ClusterReading[]): Promise<Drawn | null> {
    try {
      const { picture: drawing, around } = this.#draw(readings)
      const picture = await inTurns(drawing, this.#signal)
      setImmediate(() => void this.#prepareRows(picture))
      return { picture, around }
    } catch {
      return null
    }
  }

  /** Whenever nothing else is to be done. What fails is told to who asks for the rows. */
  async #prepareRows({ situation, judgement }: Picture): Promise<void> {
    await inTurns(preparedRows(situation, judgement), this.#signal).catch(() => {})
  }
}

/** So many early pictures in a row that were of no use: then the next ones are not drawn. */
const USELESS = 3
const LEFT_OUT = 30

/** Whether it is worth it: early pictures do not help where what comes last is judged by, or is not waited for. */
export class EarlyUse {
  /** Early pictures of no use since the last that was. */
  #useless = 0

  /** Of the next snapshot. */
  get worthIt(): boolean {
    if (this.#useless < USELESS) return true
    this.#useless = this.#useless > LEFT_OUT ? 0 : this.#useless + 1
    return false
  }

  /** Whether one could be completed. */
  was(completed: boolean): void {
    this.#useless = completed ? 0 : this.#useless + 1
  }
}
