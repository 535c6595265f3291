import { backoffMs } from './backoff.ts'
import { Picture } from './picture.ts'

/** A picture that has not painted by then is not the better one. */
const PAINT_WITHIN_MS = 30_000
const PROBE_WITHIN_MS = 10_000
const SCRIPT = /\/assets\/wall-app-[\w-]+\.js/

export interface StageEvents {
  /** A new picture wants to know all there is to know. */
  onReady(picture: Picture): void
  /** A picture is on the screen; `build`: the one it was loaded from. */
  onShown(build: string): void
  onPainted(): void
}

/**
 * The picture on the screen, and the one that is to follow it. A new one is loaded only after the server was seen to
 * have it, behind the old one, and shown when it has painted: there is no moment without a picture, and no address is
 * opened that may not answer.
 */
export class Stage {
  readonly #host: HTMLElement
  readonly #events: StageEvents
  #current: Picture | null = null
  #next: { readonly picture: Picture; readonly build: string; readonly sinceMs: number } | null = null
  #probing = false
  #failures = 0
  #notBeforeMs = 0
  #disposed = false

  constructor(host: HTMLElement, events: StageEvents) {
    this.#host = host
    this.#events = events
  }

  get current(): Picture | null {
    return this.#current
  }

  /** All there are, for what concerns both. */
  get pictures(): readonly Picture[] {
    return [this.#current, this.#next?.picture ?? null].filter((one) => one !== null)
  }

  /** Asks for a new picture; nothing happens while one is on its way or a failed try is too recent. */
  async renew(nowMs: number): Promise<void> {
    if (this.#probing || this.#next !== null || nowMs < this.#notBeforeMs) return
    this.#probing = true
    const found = await probe()
    this.#probing = false
    if (this.#disposed) return
    if (found === null) return this.#failed()
    const picture = new Picture(`/wall/app${location.search}`, {
      onReady: (ready) => {
        // Another build came between the look and the load: what is loaded is not what it is taken for.
        if (ready.script !== found.script) return this.#giveUp()
        this.#events.onReady(ready)
      },
      onPainted: (painted) => this.#painted(painted),
    })
    this.#next = { picture, build: found.build, sinceMs: performance.now() }
    this.#host.prepend(picture.element)
  }

  /** Gives up a picture that never painted. */
  tick(nowMs: number): void {
    if (this.#next !== null && nowMs - this.#next.sinceMs > PAINT_WITHIN_MS) this.#giveUp()
  }

  /** Takes away a picture that is dead. */
  drop(): void {
    this.#current?.remove()
    this.#current = null
  }

  dispose(): void {
    this.#disposed = true
    this.#next?.picture.remove()
    this.#next = null
    this.drop()
  }

  #painted(picture: Picture): void {
    if (this.#next?.picture === picture) {
      const { build } = this.#next
      this.#next = null
      this.drop()
      this.#current = picture
      this.#failures = 0
      this.#events.onShown(build)
    }
    if (this.#current === picture) this.#events.onPainted()
  }

  #giveUp(): void {
    this.#next?.picture.remove()
    this.#next = null
    this.#failed()
  }

  #failed(): void {
    this.#failures += 1
    this.#notBeforeMs = performance.now() + backoffMs(this.#failures)
  }
}

/** The build the server has, and the script its page names; null unless both can be had right now. */
async function probe(): Promise<{ build: string; script: string } | null> {
  try {
    const how = () => ({ cache: 'no-store', signal: AbortSignal.timeout(PROBE_WITHIN_MS) }) as const
    const answer = await fetch('/api/v1/build', how())
    const build: unknown = answer.ok ? (await answer.json()).build : null
    const page = await fetch('/wall/app', how())
    const script = page.ok ? SCRIPT.exec(await page.text())?.[0] : undefined
    if (typeof build !== 'string' || script === undefined) return null
    const loaded = await fetch(script, how())
    return loaded.ok ? { build, script } : null
  } catch {
    return null
  }
}
