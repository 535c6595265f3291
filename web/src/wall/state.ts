import type { WallFrame } from '@goldseam/server/contract'
import type { Link } from '../wall-link/messages.ts'

/** All that a wall knows. */
export interface WallState {
  readonly link: Link
  /** The browser keeps the screen on. */
  readonly awake: boolean
  readonly frame: WallFrame | null
  readonly seq: number
  /** When the frame came, on the clock that never jumps. */
  readonly cameAtMs: number
}

export const AT_START: WallState = { link: { state: 'opening' }, awake: true, frame: null, seq: 0, cameAtMs: 0 }

/** How far what is shown may be trusted: a step for each way in which it is drawn. */
export type Freshness = 'fresh' | 'late' | 'old' | 'blind' | 'dead'

const OLD_SECONDS = 60
const BLIND_SECONDS = 120
const DEAD_SECONDS = 300
const LATE_REFRESHES = 3

/**
 * Age of the data: what it was when the server sent it, and what has passed here since. Never from this clock's date.
 * Where no cluster answers, of the last answer of any; null where there never was one.
 */
export function dataAgeSeconds(state: WallState, nowMs: number): number | null {
  const { frame } = state
  if (frame === null) return null
  const passed = passedSeconds(state, nowMs)
  if (frame.clusters.some(({ state }) => state === 'ok' || state === 'partial')) return passed
  const last = Math.min(...frame.clusters.map(({ ageSeconds }) => ageSeconds ?? Number.POSITIVE_INFINITY))
  return Number.isFinite(last) ? last + passed : null
}

/** Seconds since the snapshot was taken: on the server's clock until it was sent, then on this screen's. */
export function passedSeconds({ frame, cameAtMs }: WallState, nowMs: number): number {
  if (frame === null) return 0
  const whenSent = (Date.parse(frame.sentAt) - Date.parse(frame.snapshot.at)) / 1_000
  return Math.max(0, whenSent) + Math.max(0, nowMs - cameAtMs) / 1_000
}

export function freshnessOf(state: WallState, nowMs: number): Freshness {
  if (state.frame === null) return 'blind'
  const silentSeconds = (nowMs - state.cameAtMs) / 1_000
  const late = LATE_REFRESHES * state.frame.snapshot.refreshSeconds
  if (silentSeconds >= Math.max(DEAD_SECONDS, 2 * late)) return 'dead'
  if (silentSeconds >= Math.max(BLIND_SECONDS, late)) return 'blind'
  if (silentSeconds >= Math.max(OLD_SECONDS, late)) return 'old'
  return silentSeconds >= late ? 'late' : 'fresh'
}

/** "2 m 10 s": counts visibly, as a stopped picture must. */
export function counted(seconds: number): string {
  const whole = Math.floor(seconds)
  if (whole < 90) return `${whole} s`
  if (whole < 5_400) return `${Math.floor(whole / 60)} m ${whole % 60} s`
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} m`
}

/** "4 h": for what needs no counting. */
export function roughly(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`
}

/** Keeps the tail, which tells one from the other: `checkout-worker-eu` -> `check…worker-eu`. */
export function middle(name: string, most: number): string {
  if (name.length <= most) return name
  const head = Math.floor((most - 1) * 0.4)
  return `${name.slice(0, head)}\u2026${name.slice(name.length - (most - 1 - head))}`
}
