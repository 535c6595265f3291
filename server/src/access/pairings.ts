import { hashOf, newCode, newSecret } from './tokens.ts'

const GOOD_FOR_MS = 10 * 60_000
/** Of screens that wait at the same time: more are somebody who plays. */
const MOST_WAITING = 200
const MOST_WAITING_EACH = 5

interface Waiting {
  readonly secretHash: string
  readonly from: string
  readonly untilMs: number
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
    const same = [...this.#byCode].filter(([, waiting]) => waiting.from === from)
    // A screen that lost its secret asks anew: its oldest code makes room.
    if (same.length >= MOST_WAITING_EACH) this.#byCode.delete(same[0]?.[0] ?? '')
    if (this.#byCode.size >= MOST_WAITING) return null
    let code = newCode()
    while (this.#byCode.has(code)) code = newCode()
    const secret = newSecret()
    this.#byCode.set(code, { secretHash: hashOf(secret), from, untilMs: this.#nowMs() + GOOD_FOR_MS, token: null })
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
    const [code, { token }] = found
    if (token === null) return { state: 'waiting' }
    this.#byCode.delete(code)
    return { state: 'paired', token }
  }

  #forget(): void {
    const now = this.#nowMs()
    for (const [code, { untilMs }] of this.#byCode) if (untilMs <= now) this.#byCode.delete(code)
  }
}
