import type { Cluster, Snapshot } from '@goldseam/server/contract'
import { ApiProblem } from './problem.ts'

const DEFAULT_REFRESH_SECONDS = 10
const MOST_RETRIES = 2

/** How a screen asks: for which window, and whether it keeps asking. */
export interface Asking {
  readonly scope: Readonly<Record<string, string>>
  /** False when paused, switched off in the link, or when the window lies in the past. */
  readonly live: boolean
  /** Seconds from one time to the next at least, where a link says so. */
  readonly everySeconds?: number
}

export interface Asked {
  readonly state: { readonly data: unknown; readonly error: Error | null }
}

interface Answered extends Asked {
  readonly state: Asked['state'] & {
    readonly data: { readonly snapshot: Snapshot; readonly clusters?: readonly Cluster[] } | undefined
  }
}

const AGAIN_MS = 5_000

/** The server says how often its picture changes; asking more often shows nothing new. */
export function pollEvery({ live, everySeconds = 0 }: Asking) {
  return (asked: Answered): number | false => {
    if (!live) return untilAnswered(asked)
    const { data, error } = asked.state
    const newSeconds = Math.max(1, data?.snapshot.refreshSeconds ?? DEFAULT_REFRESH_SECONDS)
    // An hour is not meant for what failed, nor for a cluster whose first answer is some seconds away.
    const isWhole = error === null && data !== undefined && data.clusters?.some(isPending) !== true
    return (isWhole ? Math.max(newSeconds, everySeconds) : newSeconds) * 1_000
  }
}

function isPending({ state }: Cluster): boolean {
  return state === 'pending'
}

/**
 * What does not go on with time is asked again until it is answered, the first time and whenever somebody asks anew: a
 * server that restarts is back in a while.
 */
export function untilAnswered({ state: { error } }: Asked): number | false {
  return error !== null && isPassing(error) ? AGAIN_MS : false
}

/** The same for what is asked again every so often while it is live. */
export function atLeisure(refreshMs: number, { live, everySeconds = 0 }: Asking) {
  return (asked: Asked): number | false => {
    if (!live) return untilAnswered(asked)
    return asked.state.error === null ? Math.max(refreshMs, everySeconds * 1_000) : refreshMs
  }
}

/** What is not found or malformed stays so; only silence and trouble are worth another try. */
export function worthRetrying(failures: number, error: Error): boolean {
  return isPassing(error) && failures < MOST_RETRIES
}

/** Trouble that may be over when one asks again. */
export function isPassing(error: Error): boolean {
  return !(error instanceof ApiProblem && error.status >= 400 && error.status < 500) || isAhead(error)
}

/** The range ends later than the server's clock, as on a machine whose own is ahead: in a while it does not. */
function isAhead({ problem: { errors = [] } }: ApiProblem): boolean {
  return errors.some(({ pointer, detail }) => pointer === '/query/to' && detail === 'lies in the future')
}
