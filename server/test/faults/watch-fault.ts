import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import type { Clusters, Fleet } from '../../src/contract/index.ts'
import type { Authority } from '../support/certificates.ts'
import { answering, oneWorkload } from '../support/fake-mesh.ts'
import { startFakePrometheus } from '../support/fake-prometheus.ts'
import { type ResidentMemory, residentMemory } from '../support/resident-memory.ts'
import { spawnGoldseam } from '../support/spawn-goldseam.ts'
import { startGoldseam } from '../support/start-goldseam.ts'
import { type Fault, startFaultProxy } from './fault-proxy.ts'

export interface FaultRow {
  readonly name: string
  readonly fault: Fault | (() => Fault | Promise<Fault>)
  /** What the gap of the faulty cluster must say; HOST stands for the host and port of its endpoint. */
  readonly why: string
  readonly detail: string | RegExp
  /** Default: everything. */
  readonly what?: string
  /** The name the endpoint is reached by; default 127.0.0.1. */
  readonly host?: string
  /** Only this process knows the name: the server runs in it. */
  readonly inThisProcess?: boolean
  /** Over TLS, with a certificate of this authority. */
  readonly authority?: () => Authority
  /** Default 1. */
  readonly timeoutSeconds?: number
  /** How long to watch at least; default 4. */
  readonly seconds?: number
  /** Whether the endpoint is left alone in the end. */
  readonly opensBreaker?: boolean
  /** Called each second of the fault: true = it is there. */
  readonly pattern?: (second: number) => boolean
}

export const REFRESH_SECONDS = 1
const SOFT_DEADLINE_SECONDS = 3
const MOST_GROWTH_BYTES = 100_000_000
/** Enough for every percentile to have its samples. */
const RATE = 100
/** On a busy machine it may take longer until a fault is told from slowness. */
const LONGEST_WATCH_SECONDS = 20
const POLL_MS = 80
/** Percentiles that a busy machine did not give in time are asked for again half a minute later. */
const WHOLE_LIMIT_MS = 40_000
const SECRET = 'hunter2'

/** Lets one fault happen to one of two clusters, watches the whole server over HTTP, and holds it to its promises. */
export async function watchFault(row: FaultRow): Promise<void> {
  const { host = '127.0.0.1', what = 'everything', timeoutSeconds = 1, authority, opensBreaker = false } = row
  const { seconds = 4, inThisProcess = false } = row
  const east = await startFakePrometheus(answering(oneWorkload('web', RATE)))
  const behind = await startFakePrometheus(answering(oneWorkload('cart', RATE)))
  const certificate = authority?.().issue(['IP:127.0.0.1', `DNS:${host}`]) ?? null
  const proxy = await startFaultProxy(behind.url, certificate)
  const west = `${host}:${proxy.port}`
  const scheme = certificate === null ? 'http' : 'https'
  const ca = authority === undefined ? '' : `, caFile: ${authority().certFile}`
  const directory = mkdtempSync(join(tmpdir(), 'goldseam-fault-'))
  writeFileSync(join(directory, 'token'), SECRET)
  const config = `refresh: ${REFRESH_SECONDS}s
# A refresh each second is more than the default lets it ask on a busy machine.
maxLoad: 64
clusters:
  - { name: east, endpoints: [{ url: "${east.url}" }] }
  - name: west
    endpoints: [{ url: "${scheme}://${west}", timeout: ${timeoutSeconds * 1_000}ms, bearerTokenFile: ${directory}/token${ca} }]
`
  const spawned = inThisProcess ? null : await spawnGoldseam(config)
  const goldseam = spawned ?? (await startGoldseam(config))
  try {
    const look = async () => (await goldseam.get('/api/v1/fleet')).body as Fleet
    const stateOf = (fleet: Fleet, name: string) => fleet.clusters.find((one) => one.name === name)?.state
    const isWhole = async () => {
      const fleet = await look()
      expect(stateOf(fleet, 'west'), JSON.stringify(fleet.gaps)).toBe('ok')
    }
    await vi.waitFor(isWhole, { timeout: WHOLE_LIMIT_MS, interval: POLL_MS })
    const fault = typeof row.fault === 'function' ? await row.fault() : row.fault
    const grownBytes = watchMemory(spawned ?? residentMemory('self'))
    const beganAtSeconds = Date.now() / 1_000
    await proxy.begin(fault)
    const gaps = new Map<string, { why: string; what: string; detail: string; since: string }>()
    let lastSnapshot = { id: '', seenAtSeconds: beganAtSeconds }
    let longestWaitSeconds = 0
    let there = true
    const refused = () => [...gaps.values()].some(({ detail }) => /; next try in [12] s$/.test(detail))
    const settled = () =>
      row.pattern !== undefined || ([...gaps.values()].at(-1)?.why === row.why && (!opensBreaker || refused()))
    const watchedSeconds = () => Date.now() / 1_000 - beganAtSeconds
    while (watchedSeconds() < seconds || (!settled() && watchedSeconds() < LONGEST_WATCH_SECONDS)) {
      const wanted = row.pattern?.(Math.floor(watchedSeconds())) ?? true
      if (wanted !== there) await (wanted ? proxy.begin(fault) : proxy.end())
      there = wanted
      const fleet = await look()
      const nowSeconds = Date.now() / 1_000
      longestWaitSeconds = Math.max(longestWaitSeconds, nowSeconds - lastSnapshot.seenAtSeconds)
      if (fleet.snapshot.id !== lastSnapshot.id) lastSnapshot = { id: fleet.snapshot.id, seenAtSeconds: nowSeconds }
      // (a) The other cluster stays as it is, and is of now.
      const other = fleet.clusters.find(({ name }) => name === 'east')
      expect(other?.state).toBe('ok')
      expect(other?.ageSeconds).toBeLessThan(2 * REFRESH_SECONDS)
      expect(fleet.workloads.find(({ id }) => id === 'east/shop/web')).toMatchObject({
        truth: 'value',
        now: { requestsPerSecond: RATE },
      })
      expect(fleet.gaps.filter(({ cluster }) => cluster !== 'west')).toEqual([])
      for (const gap of fleet.gaps) gaps.set(fleet.snapshot.id, gap)
      await sleep(POLL_MS)
    }
    expect(longestWaitSeconds).toBeLessThan(2 * REFRESH_SECONDS + SOFT_DEADLINE_SECONDS)

    // (b) The gap: cluster, cause, since when.
    const words =
      typeof row.detail === 'string' ? row.detail.replaceAll('HOST', west) : expect.stringMatching(row.detail)
    const told = [...gaps.values()]
    const last = told.at(-1)
    expect({ ...last, detail: withoutNextTry(last?.detail ?? '') }).toMatchObject({ what, why: row.why, detail: words })
    if (row.pattern === undefined && row.what === undefined) {
      expect(new Set(told.map(({ since }) => since)).size).toBe(1)
      const sinceSeconds = Date.parse(last?.since ?? '') / 1_000
      // Snapshots are aligned to 5 s and lag 2 s.
      expect(sinceSeconds).toBeGreaterThan(beganAtSeconds - 8)
      expect(sinceSeconds).toBeLessThan(beganAtSeconds + 2 * REFRESH_SECONDS + SOFT_DEADLINE_SECONDS)
    }
    if (opensBreaker) {
      expect(refused()).toBe(true)
      const { clusters } = (await goldseam.get('/api/v1/clusters')).body as Clusters
      const [endpoint] = clusters.find(({ name }) => name === 'west')?.endpoints ?? []
      expect(endpoint?.breaker).toEqual({
        state: expect.stringMatching(/open|halfOpen/),
        nextTryAt: expect.any(String),
      })
    }

    // (d) Recovery within two refreshes: the snapshot that was under way may still miss it, the second after may not.
    if (there) await proxy.end()
    const after: string[] = []
    for (;;) {
      const fleet = await look()
      if (fleet.snapshot.id !== lastSnapshot.id && !after.includes(fleet.snapshot.id)) after.push(fleet.snapshot.id)
      if (stateOf(fleet, 'west') === 'ok' && after.length > 0) break
      expect(after.length, `still ${JSON.stringify(fleet.gaps)}`).toBeLessThanOrEqual(1 + 2)
      await sleep(POLL_MS)
    }

    // (c) Memory.
    expect(grownBytes()).toBeLessThan(MOST_GROWTH_BYTES)

    // (e) One line a cause, and nothing in it or on screen that should not be. Lines take a way of their own.
    const recoveries = () => goldseam.logged.filter(({ msg }) => msg === 'cluster answers again')
    await vi.waitFor(
      async () => {
        const { gaps: left } = await look()
        expect(recoveries(), `still ${JSON.stringify(left)}`).toHaveLength(1)
      },
      { timeout: 60_000, interval: POLL_MS },
    )
    const troubles = goldseam.logged.filter(({ level }) => Number(level) >= 40)
    const causes = troubles.map(({ cluster, why }) => `${cluster} ${why}`)
    expect(causes.length).toBeGreaterThan(0)
    expect(causes).toEqual([...new Set(causes)])
    expect(causes).toContain(`west ${row.why}`)
    const shown = JSON.stringify([goldseam.logged, told])
    expect(shown).not.toContain(SECRET)
    expect(shown).not.toContain('rate(')
  } finally {
    await goldseam.close()
    await Promise.all([proxy.close(), east.close(), behind.close()])
    rmSync(directory, { recursive: true })
  }
}

function withoutNextTry(detail: string): string {
  return detail.replace(/; next try in \d+ s$/, '')
}

/** By how much the most that was resident since now is above what is resident now. */
function watchMemory(memory: ResidentMemory): () => number {
  memory.forgetPeak()
  const before = memory.residentBytes()
  return () => memory.peakBytes() - before
}
