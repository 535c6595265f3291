import { PerWindow } from './per-window.ts'
import type { Reading } from './reading.ts'

/** Why a cluster does not tell anything. */
export interface Failure {
  readonly why: string
  readonly detail: string
}

export interface Silence {
  /** Unix seconds. */
  readonly sinceSeconds: number
  /** Null: it takes its time, as far as known. */
  readonly failure: Failure | null
}

type Of = Pick<Reading, 'atSeconds' | 'windowSeconds'>

/**
 * Since when and why a cluster tells nothing: over each rate window by itself, because a question that looks back an
 * hour may fail each time where one about a minute is answered at once; and as a whole, where it tells nobody anything.
 */
export class Silences {
  /** Null: it answers. */
  readonly #byWindow: PerWindow<Silence | null>
  readonly #goodForSeconds: number
  #whole: Silence | null = null
  /** The instant of the last answer, over whatever rate window. */
  #answeredAtSeconds = Number.NEGATIVE_INFINITY

  constructor(goodForSeconds: number) {
    this.#byWindow = new PerWindow(goodForSeconds)
    this.#goodForSeconds = goodForSeconds
  }

  /** Of the cluster; null: it answers, as far as known. */
  get whole(): Silence | null {
    return this.#whole
  }

  of(windowSeconds: number): Silence | null {
    return this.#byWindow.get(windowSeconds)
  }

  /** What a process before this one knew of the cluster. */
  recall({ atSeconds, windowSeconds }: Of, silence: Silence | null): void {
    this.#whole = silence
    this.#byWindow.set(windowSeconds, atSeconds, silence)
  }

  answers({ atSeconds, windowSeconds }: Of): void {
    this.#byWindow.set(windowSeconds, atSeconds, null)
    this.#answeredAtSeconds = atSeconds
    this.#whole = null
  }

  /** `failure` null: it takes its time. Who is asked over another rate window while it is silent is not told anew. */
  fails({ atSeconds, windowSeconds }: Of, failure: Failure | null): Silence {
    const known = this.of(windowSeconds) ?? this.#whole
    const silence = { sinceSeconds: known?.sinceSeconds ?? atSeconds, failure: failure ?? known?.failure ?? null }
    this.#byWindow.set(windowSeconds, atSeconds, silence)
    if (this.#whole === null ? !this.#answeredSince(silence, atSeconds) : known === this.#whole) this.#whole = silence
    return silence
  }

  #answeredSince({ sinceSeconds }: Silence, nowSeconds: number): boolean {
    // What lies far ahead is of a clock that was set back.
    return this.#answeredAtSeconds >= sinceSeconds && this.#answeredAtSeconds <= nowSeconds + this.#goodForSeconds
  }
}
