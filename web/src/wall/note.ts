import { clock } from '../format/clock.ts'
import { rowsOf } from './fitting.ts'
import type { Wordings } from './hero-view.ts'
import { middle, type WallState } from './state.ts'

/** Who is on it, in several wordings; null: nobody, or the time is over on the server's clock. */
export function noteWordings({ frame, cameAtMs }: WallState, nowMs: number): Wordings | null {
  // A server of an earlier build sends none.
  const note = frame?.note ?? null
  if (frame === null || note === null) return null
  const passedMs = Math.max(0, nowMs - cameAtMs)
  if (Date.parse(frame.sentAt) + passedMs >= Date.parse(note.until)) return null
  const { by, text } = note
  const until = clock(note.until, 'local')
  return [
    `${by} is on it until ${until}: ${text}`,
    `${by} until ${until}: ${text}`,
    `${by} is on it until ${until}`,
    `${by} is on it`,
    `${middle(by, 10)} is on it`,
  ]
}

/** Rows of the rail that it takes: one, two where it needs them and enough are left, none where that one is wanted. */
export function noteRows(wordings: Wordings | null, units: number, railLines: number): number {
  if (wordings === null || railLines < 2) return 0
  return railLines >= 5 && rowsOf(wordings[0] ?? '', units) > 1 ? 2 : 1
}
