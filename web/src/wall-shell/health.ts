/** Frames that were sent and never came onto the screen, or questions without an answer. */
const MISSED_BEATS = 3
/** A slow machine under load is not a dead one. */
const LEAST_WAIT_MS = 6_000
const READY_WITHIN_MS = 20_000
const MOST_HEAP_BYTES = 512 * 1_024 * 1_024

/** What the shell knows of one picture. Times of one clock that never jumps, in milliseconds. */
export interface PictureState {
  readonly madeAtMs: number
  readonly ready: boolean
  readonly painted: boolean
  /** When each frame that is not painted yet was posted, oldest first. */
  readonly unpaintedAtMs: readonly number[]
  /** When each question that is not answered yet was asked, oldest first. */
  readonly unansweredAtMs: readonly number[]
  readonly heapBytes: number | null
}

export type Judgement = 'fine' | 'dead' | 'heavy'

/** Whether the picture lives. Asked only while the page is visible: hidden ones do not paint. */
export function judgePicture(picture: PictureState, nowMs: number): Judgement {
  if (!picture.ready) return nowMs - picture.madeAtMs > READY_WITHIN_MS ? 'dead' : 'fine'
  if (missed(picture.unpaintedAtMs, nowMs) || missed(picture.unansweredAtMs, nowMs)) return 'dead'
  return (picture.heapBytes ?? 0) > MOST_HEAP_BYTES ? 'heavy' : 'fine'
}

function missed(waitingSinceMs: readonly number[], nowMs: number): boolean {
  const [oldest] = waitingSinceMs
  return oldest !== undefined && waitingSinceMs.length >= MISSED_BEATS && nowMs - oldest >= LEAST_WAIT_MS
}

/** The minute of the day, 04:00 to 04:59, at which this screen loads itself anew once a day. */
export function plannedMinute(random: () => number = Math.random): number {
  return 4 * 60 + Math.floor(random() * 60)
}
