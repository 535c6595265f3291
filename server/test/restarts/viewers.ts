import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet, Topology } from '../../src/contract/index.ts'
import { createLosses } from './losses.ts'
import { inFleet, inTopology } from './on-screen.ts'

export interface Viewers {
  /** What not all of them have had on screen yet; null before all have had an answer. */
  unseen(): readonly string[] | null
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
  /** What was on a viewer's screen once and was not in an answer, in words. */
  readonly lost: readonly string[]
  /** Anything else, in words. */
  readonly bad: readonly string[]
}

const PAUSE_MS = 100

/** A rate window that was not scraped to its end tells less; it must not tell nothing. */
export function isAbout(rate: number | null, requestsPerSecond: number): boolean {
  return rate !== null && rate > requestsPerSecond / 3 && rate < requestsPerSecond * 1.1
}

/** What is looked for each time: workloads with about so many requests, and an edge. */
export interface Wanted {
  readonly rows: readonly string[]
  readonly requestsPerSecond: number
  readonly edge: { readonly from: string; readonly to: string }
}

/** `count` clients that ask for the fleet and the topology again and again, as open pages do. */
export function watchAs(count: number, url: string, { rows, requestsPerSecond, edge }: Wanted): Viewers {
  let left = false
  let current = 0
  let stale = 0
  let refused = new Set<number>()
  let bad: string[] = []
  const answered = new Set<number>()
  const losses = createLosses()

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

  /** Null where there was no answer, which is noted. */
  async function ask(viewer: number, path: string): Promise<unknown> {
    const response = await fetch(url + path).catch(() => null)
    if (response === null) refused.add(viewer)
    else if (response.status !== 200) bad.push(`HTTP ${response.status}`)
    if (response?.status !== 200) return null
    // A server that is killed may break off in the middle of an answer.
    const body: unknown = await response.json().catch(() => null)
    if (body === null) refused.add(viewer)
    return body
  }

  async function view(viewer: number): Promise<void> {
    while (!left) {
      const fleet = (await ask(viewer, '/api/v1/fleet')) as Fleet | null
      if (fleet !== null) {
        judge(fleet)
        losses.note(viewer, inFleet(fleet, rows))
      }
      const topology = (await ask(viewer, '/api/v1/topology')) as Topology | null
      if (topology !== null) losses.note(viewer, inTopology(topology, edge.from, edge.to))
      if (fleet !== null && topology !== null) answered.add(viewer)
      await sleep(PAUSE_MS)
    }
  }

  const viewing = Promise.all(Array.from({ length: count }, (_, viewer) => view(viewer)))
  return {
    unseen: () => (answered.size < count ? null : losses.unseen(count)),
    seen: () => ({ current, stale, refused, bad, lost: losses.told() }),
    forget() {
      current = 0
      stale = 0
      refused = new Set()
      bad = []
      losses.forget()
    },
    async leave() {
      left = true
      await viewing
    },
  }
}
