import type { PrometheusApi } from './api.ts'
import { follow } from './follow.ts'
import { isOutOfTime } from './out-of-time.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { isHopeless, UpstreamError } from './upstream-error.ts'

/** Enough for a trivial query, at a server that is busy too. */
const PING_PATIENCE_SECONDS = 1

export interface Clocks {
  /** Unix seconds. */
  readonly nowSeconds: () => number
  /** Seconds of a clock that only runs forward. */
  readonly monotonicSeconds: () => number
  /** Resolves after that long; rejects when the signal aborts. */
  readonly wait: (seconds: number, signal: AbortSignal) => Promise<void>
}

export type CanBeAsked = Pick<PrometheusApi, 'query'>

/** Who asks, and since when (monotonic seconds): other replicas may have been asked before. */
export interface Caller {
  readonly signal: AbortSignal
  readonly sinceSeconds: number
}

/**
 * Whether a replica gives any sign of life while it is asked. That a query takes long is none of its faults: whatever
 * else it answers meanwhile shows that it lives, and that there is something it is asked something trivial.
 */
export class SignsOfLife {
  readonly #withoutLine: CanBeAsked
  readonly #clocks: Clocks
  /** What stops the calls that are under way. */
  readonly #underWay = new Set<AbortController>()
  #signs = 0
  #isLost = false
  #isPinged = false
  #pingedAtSeconds = Number.NEGATIVE_INFINITY
  /** How long those who left had waited since the last sign; each second counts once, however many waited. */
  #inVainSeconds = 0
  #inVainUntilSeconds = Number.NEGATIVE_INFINITY

  /** `withoutLine`: the replica as it is asked whatever holds its places, since that may be what is slow. */
  constructor(withoutLine: CanBeAsked, clocks: Clocks) {
    this.#withoutLine = withoutLine
    this.#clocks = clocks
  }

  /** How many there were. */
  get signs(): number {
    return this.#signs
  }

  /** Whether it gave none for somebody's whole time, or for so long that another one was asked instead. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** Whether nothing but something trivial is asked of it. */
  get isIdle(): boolean {
    return this.#underWay.size === 0
  }

  /** Runs a call, which `stop` stops and which ends with its caller. */
  async watch<T>(
    call: (signal: AbortSignal) => Promise<T>,
    stop: AbortController,
    caller: Caller,
  ): Promise<Outcome<T>> {
    const signsBefore = this.#signs
    const begunSeconds = this.#clocks.monotonicSeconds()
    const leave = follow(caller.signal, stop)
    this.#underWay.add(stop)
    try {
      const outcome = await outcomeOf(() => call(stop.signal))
      if (isSign(outcome, stop.signal)) this.#live()
      else if (caller.signal.aborted && this.#signs === signsBefore) this.#waitedInVain(begunSeconds, caller)
      return outcome
    } finally {
      leave()
      this.#underWay.delete(stop)
    }
  }

  /** Resolves when it gave no sign for that long, the last part of it after it was asked for one. */
  async silence(seconds: number, signal: AbortSignal): Promise<void> {
    const patienceSeconds = Math.min(seconds / 2, PING_PATIENCE_SECONDS)
    for (;;) {
      const signsBefore = this.#signs
      const alreadySeconds = this.#isLost ? seconds : this.#inVainSeconds
      await this.#clocks.wait(Math.max(0, seconds - patienceSeconds - alreadySeconds), signal)
      if (this.#signs !== signsBefore) continue
      this.ping(this.#withoutLine, 'is it there')
      // It may have been asked for somebody who left since.
      const pingedSeconds = this.#clocks.monotonicSeconds() - this.#pingedAtSeconds
      await this.#clocks.wait(Math.max(0, patienceSeconds - pingedSeconds), signal)
      if (this.#signs === signsBefore) return
    }
  }

  /**
   * Asks it something trivial. Nobody waits for the outcome, and nobody stops it: it is noted here, and its own telemetry
   * tells from it that what was abandoned is failing. False: it is being asked already, and may have come back since.
   */
  ping(api: CanBeAsked, question: string): boolean {
    if (this.#isPinged) return false
    this.#isPinged = true
    this.#pingedAtSeconds = this.#clocks.monotonicSeconds()
    const { signal } = new AbortController()
    const end = () => {
      this.#isPinged = false
    }
    void outcomeOf(() => api.query('vector(1)', this.#clocks.nowSeconds(), signal, question))
      .then((outcome) => {
        if (isSign(outcome, signal)) this.#live()
      })
      .then(end, end)
    return true
  }

  /** Stops the calls that are under way, those that wait in line included, so that others are asked instead. */
  abandon(): void {
    this.#isLost = true
    const why = new UpstreamError('timeout', 'it gave no sign of life, while another endpoint answered')
    for (const stop of this.#underWay) stop.abort(why)
  }

  #live(): void {
    this.#signs += 1
    this.#isLost = false
    this.#inVainSeconds = 0
  }

  #waitedInVain(begunSeconds: number, { signal, sinceSeconds }: Caller): void {
    const now = this.#clocks.monotonicSeconds()
    this.#inVainSeconds += now - Math.max(begunSeconds, this.#inVainUntilSeconds)
    this.#inVainUntilSeconds = now
    // Who was asked late got too little of the time to be blamed.
    if (isOutOfTime(signal) && (now - begunSeconds) * 2 >= now - sinceSeconds) this.#isLost = true
  }
}

function isSign<T>(outcome: Outcome<T>, { aborted }: AbortSignal): boolean {
  return 'answer' in outcome || (!aborted && !isHopeless(outcome.error))
}
