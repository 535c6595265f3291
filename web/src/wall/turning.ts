/** Which page is up. Pure: told what the time is. Times in milliseconds of a clock that never jumps. */
export interface Turn {
  readonly page: number
  readonly sinceMs: number
  /** It does not turn before. */
  readonly heldUntilMs: number
  /** Somebody touched something; for the countdown. */
  readonly touchedUntilMs: number
}

export const FIRST_TURN: Turn = { page: 0, sinceMs: 0, heldUntilMs: 0, touchedUntilMs: 0 }

const TOUCH_MS = 60_000
const ALARM_MS = 60_000

/** Once the page's time is over the next one comes, and after the last the first. */
export function turned(turn: Turn, pages: number, dwellMs: number, nowMs: number): Turn {
  if (pages < 2) return turn.page === 0 ? turn : { ...turn, page: 0 }
  if (turn.page >= pages) return { ...turn, page: 0, sinceMs: nowMs }
  if (nowMs < turn.heldUntilMs || nowMs - Math.max(turn.sinceMs, turn.heldUntilMs) < dwellMs) return turn
  return { ...turn, page: (turn.page + 1) % pages, sinceMs: nowMs }
}

/** A person is near: nothing moves for a minute. */
export function touched(turn: Turn, nowMs: number): Turn {
  const untilMs = nowMs + TOUCH_MS
  return { ...turn, heldUntilMs: Math.max(turn.heldUntilMs, untilMs), touchedUntilMs: untilMs }
}

/** New trouble on a page: it is shown, and stays for a minute. */
export function alarmed(turn: Turn, page: number, nowMs: number): Turn {
  return { ...turn, page, sinceMs: nowMs, heldUntilMs: nowMs + ALARM_MS }
}

/** The part of the page's time that has passed, 0 to 1. */
export function progressOf(turn: Turn, dwellMs: number, nowMs: number): number {
  const sinceMs = Math.max(turn.sinceMs, turn.heldUntilMs)
  return Math.min(1, Math.max(0, (nowMs - sinceMs) / dwellMs))
}

const ORBIT_MS = 90_000
const ORBIT = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const
const ORBIT_SHARE = 2 / 1_080

/** Where the whole picture stands now, so that nothing burns in: eight places, two pixels off at 1080 lines. */
export function orbitOf(nowMs: number, height: number): { x: number; y: number } {
  const [x, y] = ORBIT[Math.floor(nowMs / ORBIT_MS) % ORBIT.length] ?? [0, 0]
  const step = Math.round(height * ORBIT_SHARE)
  return { x: x * step, y: y * step }
}

const SWAP_MS = 6 * 3_600_000

/** Header and footer change places every six hours. */
export function isUpsideDown(nowMs: number): boolean {
  return Math.floor(nowMs / SWAP_MS) % 2 === 1
}
