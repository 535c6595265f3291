import { hashOf, newCode, newSecret } from './tokens.ts'

const GOOD_FOR_MS = 10 * 60_000
/** Of screens that wait at the same time: more are somebody who plays. */
const MOST_WAITING = 200
/** Behind one address: a whole site's screens have one where a proxy or its router stands in between. */
const MOST_WAITING_EACH = 50
/** A screen that waits asks every three seconds, and each minute where its browser saves power; this one is gone. */
const GONE_AFTER_MS = 90_000

interface Waiting {
  readonly secretHash: string
  readonly from: string
  readonly untilMs: number
  /** When its screen last asked. */
  askedAtMs: number
  token: string | null
}

/** Screens that show a code and wait for somebody who may look to enter it. In memory: they simply ask again. */
export class Pairings {
  readonly #byCode = new Map<string, Waiting>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs
  }

  /** A code to show and a secret to claim the token with; null when too many wait already. `from`: who asks. */
  start(from: string): { code: string; secret: string } | null {
    this.#forget()
    const now = this.#nowMs()
    const all = [...this.#byCode]
    const same = all.filter(([, waiting]) => waiting.from === from)
    if (same.length >= MOST_WAITING_EACH && !this.#makeRoom(same)) return null
    if (this.#byCode.size >= MOST_WAITING && !this.#makeRoom(all)) return null
    let code = newCode()
    while (this.#byCode.has(code)) code = newCode()
    const secret = newSecret()
    const waiting = { secretHash: hashOf(secret), from, untilMs: now + GOOD_FOR_MS, askedAtMs: now, token: null }
    this.#byCode.set(code, waiting)
    return { code, secret }
  }

  /** True where a screen shows this code; then `make` gives its token. */
  approve(code: string, make: () => string): boolean {
    this.#forget()
    const waiting = this.#byCode.get(code.replace(/\D/g, ''))
    if (waiting === undefined || waiting.token !== null) return false
    waiting.token = make()
    return true
  }

  /** `gone`: start over. The token is handed out once. */
  claim(secret: string): { state: 'gone' } | { state: 'waiting' } | { state: 'paired'; token: string } {
    this.#forget()
    const secretHash = hashOf(secret)
    const found = [...this.#byCode].find(([, waiting]) => waiting.secretHash === secretHash)
    if (found === undefined) return { state: 'gone' }
    const [code, waiting] = found
    waiting.askedAtMs = this.#nowMs()
    const { token } = waiting
    if (token === null) return { state: 'waiting' }
    this.#byCode.delete(code)
    return { state: 'paired', token }
  }

  /**
   * Takes away the code of a screen that lost its secret, or was switched off. Never one that somebody may be typing in:
   * its screen would ask for another at once, in place of the next one's, and none could ever be paired.
   */
  #makeRoom(among: readonly (readonly [string, Waiting])[]): boolean {
    const now = this.#nowMs()
    const gone = among.find(([, { askedAtMs }]) => Math.abs(now - askedAtMs) >= GONE_AFTER_MS)
    return gone !== undefined && this.#byCode.delete(gone[0])
  }

  #forget(): void {
    const now = this.#nowMs()
    for (const [code, { untilMs }] of this.#byCode) if (untilMs <= now) this.#byCode.delete(code)
  }
}
