import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet } from '../../src/contract/index.ts'

export interface Viewers {
  /** Since `forget`. */
  seen(): Seen
  forget(): void
  /** Ends them; rejects if one of them fell over. */
  leave(): Promise<void>
}

export interface Seen {
  /** Answers with every row, by whether all were current. */
  readonly current: number
  readonly stale: number
  /** Viewers that could not connect at least once. */
  readonly refused: ReadonlySet<number>
  /** Anything else, in words. */
  readonly bad: readonly string[]
}

const PAUSE_MS = 100

/** A rate window with a hole in it, or not yet full, tells less; it must not tell nothing. */
export function isAbout(rate: number | null, requestsPerSecond: number): boolean {
  return rate !== null && rate > requestsPerSecond / 10 && rate < requestsPerSecond * 2
}

/** `count` clients that ask for the fleet again and again, as open pages do, and look for `rows` each time. */
export function watchAs(count: number, url: string, rows: readonly string[], requestsPerSecond: number): Viewers {
  let left = false
  let current = 0
  let stale = 0
  let refused = new Set<number>()
  let bad: string[] = []

  function judge(fleet: Fleet): void {
    let isStale = false
    for (const id of rows) {
      const row = fleet.workloads.find((workload) => workload.id === id)
      const rate = row?.now.requestsPerSecond ?? null
      const good = isAbout(rate, requestsPerSecond)
      if (row === undefined || !good || !['value', 'stale', 'partial', 'lowSample', 'offScale'].includes(row.truth))
        bad.push(`${id}: ${row?.truth ?? 'no row'}, ${rate} rps, ${JSON.stringify(fleet.gaps)}`)
      if (row?.truth === 'stale') isStale = true
    }
    if (isStale) stale += 1
    else current += 1
  }

  async function view(viewer: number): Promise<void> {
    while (!left) {
      const response = await fetch(`${url}/api/v1/fleet`).catch(() => null)
      if (response === null) refused.add(viewer)
      else if (response.status !== 200) bad.push(`HTTP ${response.status}`)
      else {
        // A server that is killed may break off in the middle of an answer.
        const fleet = await response.json().catch(() => null)
        if (fleet === null) refused.add(viewer)
        else judge(fleet as Fleet)
      }
      await sleep(PAUSE_MS)
    }
  }

  const viewing = Promise.all(Array.from({ length: count }, (_, viewer) => view(viewer)))
  return {
    seen: () => ({ current, stale, refused, bad }),
    forget() {
      current = 0
      stale = 0
      refused = new Set()
      bad = []
    },
    async leave() {
      left = true
      await viewing
    },
  }
}
