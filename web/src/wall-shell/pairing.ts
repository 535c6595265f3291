import { pair } from './token.ts'

/** `code` null: none could be had yet. */
type Show = (code: string | null, why: string) => void

/**
 * Asks for a code and waits for who enters it. One code holds for many tries of the stream: it is shown again at each
 * of them, whatever the screen said in between.
 */
export class Pairing {
  readonly #show: Show
  readonly #keep: (token: string) => void
  readonly #ask: typeof pair
  /** Null while nobody has to enter anything. */
  #waiting: Promise<void> | null = null
  #ending = new AbortController()
  #code: string | null = null
  #why = ''

  constructor(show: Show, keep: (token: string) => void, ask: typeof pair = pair) {
    this.#show = show
    this.#keep = keep
    this.#ask = ask
  }

  /** Resolves when somebody has entered the code, or when it holds no longer. */
  wanted(why: string, signal: AbortSignal): Promise<void> {
    this.#why = why
    this.#show(this.#code, why)
    this.#waiting ??= this.#wait(AbortSignal.any([signal, this.#ending.signal]))
    return this.#waiting
  }

  /** There is a picture again. */
  end(): void {
    if (this.#waiting === null) return
    this.#ending.abort()
    this.#ending = new AbortController()
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const given = await this.#ask((code) => {
      this.#code = code
      this.#show(code, this.#why)
    }, signal)
    this.#waiting = null
    this.#code = null
    // Whoever entered the code did so once: it counts whatever is tried at that moment.
    if (given !== null) this.#keep(given)
  }
}
