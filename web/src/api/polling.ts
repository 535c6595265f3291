import type { Snapshot } from '@goldseam/server/contract'
import { ApiProblem } from './problem.ts'

const DEFAULT_REFRESH_SECONDS = 10
const MOST_RETRIES = 2

/** How a screen asks: for which window, and whether it keeps asking. */
export interface Asking {
  readonly scope: Readonly<Record<string, string>>
  /** False when paused, switched off in the link, or when the window lies in the past. */
  readonly live: boolean
}

interface Answered {
  readonly state: { readonly data: { readonly snapshot: Snapshot } | undefined }
}

/** The server says how often its picture changes; asking more often shows nothing new. */
export function pollEvery({ live }: Asking) {
  return ({ state }: Answered): number | false =>
    live ? Math.max(1, state.data?.snapshot.refreshSeconds ?? DEFAULT_REFRESH_SECONDS) * 1_000 : false
}

/** What is not found or malformed stays so; only silence and trouble are worth another try. */
export function worthRetrying(failures: number, error: Error): boolean {
  if (error instanceof ApiProblem && error.status >= 400 && error.status < 500) return false
  return failures < MOST_RETRIES
}
