import type { UpstreamErrorKind } from './upstream-error.ts'

/** One request to an endpoint, as it is remembered for who runs Goldseam: neither its PromQL nor a credential. */
export interface RequestNote {
  /** When it ended, unix seconds. */
  readonly atSeconds: number
  readonly kind: RequestKind
  /** What was wanted to be known; of others' queries only that they are. */
  readonly question: string
  /** Until the answer was read or given up, second tries included. */
  readonly seconds: number
  /** Of the answer's text, unpacked; null where none was read to its end. */
  readonly bytes: number | null
  readonly outcome: 'ok' | UpstreamErrorKind
  /** What went wrong, in words; null when nothing did. */
  readonly detail: string | null
}

export type RequestKind = 'instant' | 'range' | 'labels' | 'others' | 'status'

/** How an endpoint kept what it owes: answers to questions that somebody still waited for. */
export interface LinkRecord {
  readonly answered: number
  readonly failed: number
}

/** The last requests to one endpoint. */
export interface RequestLog {
  note(request: RequestNote): void
  /** Newest first. */
  recent(): readonly RequestNote[]
  /** Of the last hour, by whole minutes. */
  lastHour(nowSeconds: number): LinkRecord
}

const MOST_KEPT = 100
const MINUTES = 60

export function createRequestLog(): RequestLog {
  const kept: RequestNote[] = []
  /** By whole minute; as few entries as there are minutes. */
  const minutes = new Map<number, { answered: number; failed: number }>()

  function count({ atSeconds, outcome }: RequestNote): void {
    if (outcome === 'aborted') return
    const minute = Math.floor(atSeconds / 60)
    const counted = minutes.get(minute) ?? { answered: 0, failed: 0 }
    // It did answer a query that it refuses.
    if (outcome === 'ok' || outcome === 'rejected') counted.answered += 1
    else counted.failed += 1
    minutes.set(minute, counted)
    for (const old of minutes.keys()) if (old <= minute - MINUTES) minutes.delete(old)
  }

  return {
    note(request) {
      kept.push(request)
      if (kept.length > MOST_KEPT) kept.shift()
      count(request)
    },
    recent: () => kept.toReversed(),
    lastHour(nowSeconds) {
      const since = Math.floor(nowSeconds / 60) - MINUTES
      const counted = [...minutes].flatMap(([minute, one]) => (minute > since ? [one] : []))
      return {
        answered: counted.reduce((sum, { answered }) => sum + answered, 0),
        failed: counted.reduce((sum, { failed }) => sum + failed, 0),
      }
    },
  }
}
