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

/** Nobody looked at a window for so long: while somebody does, it is asked with each refresh. */
const LEFT_ALONE_SECONDS = 120

type Of = Pick<Reading, 'atSeconds' | 'windowSeconds'>

/** What came of asking over one rate window. */
interface Met {
  readonly windowSeconds: number
  /** The instants of the last answer and the last failure, unix seconds; null: there was none. */
  readonly answeredAtSeconds: number | null
  readonly failedAtSeconds: number | null
  /** Null: it answers. */
  readonly silence: Silence | null
}

/**
 * Since when and why a cluster tells nothing: over each rate window by itself, because a question that looks back an
 * hour may fail each time where one about a minute is answered at once; and as a whole, where it tells nobody anything.
 */
export class Silences {
  readonly #met: PerWindow<Met>
  readonly #goodForSeconds: number
  #whole: Silence | null = null

  constructor(goodForSeconds: number) {
    this.#met = new PerWindow(goodForSeconds)
    this.#goodForSeconds = goodForSeconds
  }

  /** Of the cluster; null: it answers, as far as known. */
  get whole(): Silence | null {
    return this.#whole
  }

  of(windowSeconds: number): Silence | null {
    return this.#met.get(windowSeconds)?.silence ?? null
  }

  /** What a process before this one knew of the cluster. */
  recall(of: Of, silence: Silence | null): void {
    this.#whole = silence
    this.#note(of, { silence })
  }

  answers(of: Of): void {
    this.#whole = null
    this.#note(of, { silence: null, answeredAtSeconds: of.atSeconds, failedAtSeconds: null })
  }

  /** It is left alone for its load, and answers as far as known. */
  rests(of: Of): void {
    if (this.#whole === null) this.#note(of, { answeredAtSeconds: of.atSeconds })
  }

  /** `failure` null: it takes its time. Who is asked over another rate window while it is silent is not told anew. */
  fails(of: Of, failure: Failure | null): Silence {
    const { atSeconds, windowSeconds } = of
    const known = this.#known(of) ?? this.#whole
    const silence = { sinceSeconds: known?.sinceSeconds ?? atSeconds, failure: failure ?? known?.failure ?? null }
    const fromSeconds = this.#met.get(windowSeconds)?.failedAtSeconds ?? atSeconds
    this.#note(of, { silence, failedAtSeconds: atSeconds })
    const wasWhole = this.#whole !== null && known === this.#whole
    if (wasWhole || (this.#whole === null && !this.#answersElsewhere(of, fromSeconds))) this.#whole = silence
    return silence
  }

  /** What is known over this window, unless it was left alone since and others were answered. */
  #known(of: Of): Silence | null {
    const met = this.#met.get(of.windowSeconds)
    const failedAtSeconds = met?.failedAtSeconds ?? null
    const isOld = failedAtSeconds !== null && of.atSeconds - failedAtSeconds > LEFT_ALONE_SECONDS
    return isOld && this.#answersElsewhere(of, failedAtSeconds) ? null : (met?.silence ?? null)
  }

  /** Whether it answered over another rate window since the failure before this one. */
  #answersElsewhere({ atSeconds, windowSeconds }: Of, fromSeconds: number): boolean {
    return [...this.#met.values()].some(({ windowSeconds: other, silence, answeredAtSeconds }) => {
      if (other === windowSeconds || silence !== null || answeredAtSeconds === null) return false
      // What lies far ahead is of a clock that was set back.
      return answeredAtSeconds >= fromSeconds && answeredAtSeconds <= atSeconds + this.#goodForSeconds
    })
  }

  #note({ atSeconds, windowSeconds }: Of, what: Partial<Met>): void {
    const nothing = { windowSeconds, answeredAtSeconds: null, failedAtSeconds: null, silence: null }
    this.#met.set(windowSeconds, atSeconds, { ...(this.#met.get(windowSeconds) ?? nothing), ...what })
  }
}
