/** A single answer of another build may come from one server of several that is rolled out, or rolled back. */
const SURE_AFTER_MS = 30_000

/** Compares the builds that answers name with the one that this page came from; null: that of the first answer. */
export class BuildWatch {
  #own: string | null
  #other: { readonly build: string; readonly sinceMs: number } | null = null
  #replaced = false

  constructor(own: string | null) {
    this.#own = own
  }

  /** An answer of this build came. `nowMs`: a clock that never jumps. */
  note(build: string, nowMs: number): void {
    this.#own ??= build
    if (build === this.#own) {
      this.#other = null
      this.#replaced = false
    } else if (this.#other?.build !== build) this.#other = { build, sinceMs: nowMs }
    else if (nowMs - this.#other.sinceMs >= SURE_AFTER_MS) this.#replaced = true
  }

  /** Two answers in a row, 30 s apart, came from the same other build. */
  get isReplaced(): boolean {
    return this.#replaced
  }
}

const written = typeof document === 'undefined' ? null : document.querySelector('meta[name="goldseam-build"]')
const watch = new BuildWatch(written?.getAttribute('content') || null)
const listeners = new Set<() => void>()

/** Told of every answer of Goldseam's API. */
export function noteAnswer({ headers }: Response): void {
  const build = headers.get('x-goldseam-build')
  if (build === null) return
  watch.note(build, performance.now())
  for (const tell of listeners) tell()
}

/** For useSyncExternalStore: whether the server has another build than this page. */
export const serverBuild = {
  subscribe(tell: () => void): () => void {
    listeners.add(tell)
    return () => listeners.delete(tell)
  },
  isReplaced: () => watch.isReplaced,
}
