import type { PrometheusApi } from './api.ts'
import type { Outcome } from './outcome.ts'
import type { Caller, SignsOfLife } from './signs-of-life.ts'
import { UpstreamError } from './upstream-error.ts'

/** One endpoint of several that hold the same data. */
export interface Replica {
  readonly api: PrometheusApi
  readonly life: SignsOfLife
}

type Call<T> = (api: PrometheusApi, signal: AbortSignal) => Promise<T>

interface Runner<T> {
  readonly replica: Replica
  readonly stop: AbortController
  readonly ended: Promise<Step<T>>
  readonly silence: Promise<Step<T>>
  /** How many signs of life there had been when it was found to be silent; null: it was not. */
  silentAtSigns: number | null
}

/** What happened next; without an outcome: that one has given no sign of life so far. */
interface Step<T> {
  readonly runner: Runner<T>
  readonly outcome: Outcome<T> | null
}

/** One question to replicas, of which another one may be asked before the first has answered. */
export class Race<T> {
  readonly #running = new Set<Runner<T>>()
  readonly #call: Call<T>
  readonly #caller: Caller
  readonly #quietSeconds: number

  /** `quietSeconds`: a replica that gave no sign of life for so long is silent. */
  constructor(call: Call<T>, caller: Caller, quietSeconds: number) {
    this.#call = call
    this.#caller = caller
    this.#quietSeconds = quietSeconds
  }

  get isEmpty(): boolean {
    return this.#running.size === 0
  }

  /** Whether none of those that were asked can be counted on. */
  get isSilent(): boolean {
    return [...this.#running].every(({ silentAtSigns }) => silentAtSigns !== null)
  }

  start(replica: Replica): void {
    const { life, api } = replica
    const stop = new AbortController()
    const over = new AbortController()
    const outcome = life.watch((signal) => this.#call(api, signal), stop, this.#caller)
    const runner: Runner<T> = {
      replica,
      stop,
      ended: outcome.then((one) => ({ runner, outcome: one })).finally(() => over.abort()),
      silence: life.silence(this.#quietSeconds, over.signal).then(
        () => ({ runner, outcome: null }),
        () => new Promise<never>(() => undefined),
      ),
      silentAtSigns: null,
    }
    // Of those that lost nobody wants to know.
    runner.ended.catch(() => undefined)
    this.#running.add(runner)
  }

  /** Waits until one of them ends or is found to be silent. */
  async next(): Promise<{ replica: Replica; outcome: Outcome<T> | null }> {
    const steps = [...this.#running].flatMap(({ ended, silence, silentAtSigns }) =>
      silentAtSigns === null ? [ended, silence] : [ended],
    )
    const { runner, outcome } = await Promise.race(steps)
    if (outcome === null) runner.silentAtSigns = runner.replica.life.signs
    else this.#running.delete(runner)
    return { replica: runner.replica, outcome }
  }

  /** One of them answered: with those that are silent still, the questions of others are wasted too. */
  won(): void {
    for (const { silentAtSigns, replica } of this.#running)
      if (silentAtSigns === replica.life.signs) replica.life.abandon()
  }

  /** Stops those that run still. */
  end(): void {
    const why = new UpstreamError('aborted', 'another endpoint answered sooner')
    for (const { stop } of this.#running) stop.abort(why)
  }
}
