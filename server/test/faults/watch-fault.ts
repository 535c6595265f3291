import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Clusters, Fleet } from '../../src/contract/index.ts'
import { eventually } from '../support/eventually.ts'
import { answering, oneWorkload } from '../support/fake-mesh.ts'
import { startFakePrometheus } from '../support/fake-prometheus.ts'
import { type ResidentMemory, residentMemory } from '../support/resident-memory.ts'
import { spawnGoldseam } from '../support/spawn-goldseam.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import type { FaultRow } from './fault-rows.ts'
import { expectFewLines, recoveries } from './log-lines.ts'
import { openScreen, type Screen, type Seen } from './screen.ts'
import { RATE, tellingMesh } from './telling-mesh.ts'
import { REFRESH_SECONDS, SOFT_DEADLINE_SECONDS, TWO_REFRESHES_SECONDS } from './timing.ts'
import { expectGaps, nextTries } from './told-gaps.ts'

const MOST_GROWTH_BYTES = 100_000_000
/** On a busy machine it may take longer until a fault is told from slowness. */
const LONGEST_WATCH_SECONDS = 40
/** What comes and goes each second is tried again within it, so that many a snapshot notices nothing. */
const LONGEST_FLAPPING_SECONDS = 120
const POLL_MS = 80
/** Percentiles that a busy machine did not give in time are asked for again half a minute later. */
const WHOLE_LIMIT_MS = 60_000
const LINE_LIMIT_MS = 70_000
const SECRET = 'hunter2'
/** Asked behind snapshots. */
const BEHIND = ['alerts', 'history']

/** Lets one fault happen to one of two clusters, watches the whole server over HTTP, and holds it to its promises. */
export async function watchFault(row: FaultRow): Promise<void> {
  const { host = '127.0.0.1', authority } = row
  const east = await startFakePrometheus(tellingMesh('web'))
  const behind = await startFakePrometheus(answering(oneWorkload('cart', RATE)))
  const certificate = authority?.().issue(['IP:127.0.0.1', `DNS:${host}`]) ?? null
  const proxy = await startFaultProxy(behind.url, certificate)
  const directory = mkdtempSync(join(tmpdir(), 'goldseam-fault-'))
  writeFileSync(join(directory, 'token'), SECRET)
  const config = configOf(row, { eastUrl: east.url, west: `${host}:${proxy.port}`, tokenFile: `${directory}/token` })
  const spawned = row.runs === 'inThisProcess' ? null : await spawnGoldseam(config)
  const goldseam = spawned ?? (await startGoldseam(config))
  try {
    await watch(row, goldseam, proxy, spawned ?? residentMemory('self'))
  } finally {
    await goldseam.close()
    await Promise.all([proxy.close(), east.close(), behind.close()])
    rmSync(directory, { recursive: true })
  }
}

function configOf(
  { timeoutSeconds = 1, authority }: FaultRow,
  { eastUrl, west, tokenFile }: { readonly eastUrl: string; readonly west: string; readonly tokenFile: string },
): string {
  const [scheme, ca] = authority === undefined ? ['http', ''] : ['https', `, caFile: ${authority().certFile}`]
  return `refresh: ${REFRESH_SECONDS * 1_000}ms
limits: { softDeadline: ${SOFT_DEADLINE_SECONDS * 1_000}ms }
# A refresh each few seconds is more than the default lets it ask on a busy machine.
maxLoad: 64
lastGoodDirectory: none
clusters:
  - { name: east, endpoints: [{ url: "${eastUrl}" }] }
  - name: west
    endpoints: [{ url: "${scheme}://${west}", timeout: ${timeoutSeconds * 1_000}ms, bearerTokenFile: ${tokenFile}${ca} }]
`
}

async function watch(row: FaultRow, goldseam: StartedGoldseam, proxy: FaultProxy, memory: ResidentMemory) {
  const { what = 'everything', why, opensBreaker = false } = row
  const fault = typeof row.fault === 'function' ? await row.fault() : row.fault
  await eventually(
    async () => {
      const fleet: Fleet = (await goldseam.get('/api/v1/fleet')).body
      expect(fleet).toMatchObject({ clusters: [{ state: 'ok' }, { state: 'ok' }], gaps: [] })
      // With percentiles, which on a busy machine come in behind the first answer.
      expect(fleet.workloads.map(({ truth }) => truth)).toEqual(['value', 'value'])
    },
    { timeoutMs: WHOLE_LIMIT_MS, intervalMs: POLL_MS },
  )
  const screen = openScreen(goldseam.get)
  await screen.look()
  const grownBytes = watchMemory(memory)
  const before = screen.seen.length
  const beganAtSeconds = Date.now() / 1_000
  await proxy.begin(fault)
  await lookOn(row, screen, beganAtSeconds, {
    begin: () => proxy.begin(fault),
    end: () => proxy.end(),
  })

  // (b) The gap of each snapshot since: cluster, cause, since when.
  const { seen } = screen
  const during = seen.slice(before).filter((one) => one.toldAtSeconds > beganAtSeconds)
  const detail = typeof row.detail === 'string' ? row.detail.replaceAll('HOST', hostOf(row, proxy)) : row.detail
  expectGaps(during, { ...row, what, detail }, beganAtSeconds)
  if (row.pattern === undefined) expect(during.filter(({ gaps }) => gaps.length === 0)).toEqual([])
  if (opensBreaker) {
    const { clusters } = (await goldseam.get('/api/v1/clusters')).body as Clusters
    const [endpoint] = clusters.find(({ name }) => name === 'west')?.endpoints ?? []
    const state = expect.stringMatching(/open|halfOpen/)
    expect(endpoint?.breaker).toEqual({ state, nextTryAt: expect.any(String) })
  }

  await proxy.end()
  await expectRecovery(screen, row.beside ?? [])
  // (c)
  expect(grownBytes()).toBeLessThan(MOST_GROWTH_BYTES)

  // (e) Lines take a way of their own.
  await eventually(
    async () => {
      const { gaps } = await screen.look()
      expect(recoveries(goldseam.logged).length, `still ${JSON.stringify(gaps)}`).toBeGreaterThan(0)
    },
    { timeoutMs: LINE_LIMIT_MS, intervalMs: POLL_MS },
  )
  expectFewLines(goldseam.logged, why)
  // Nothing in them or on screen that should not be.
  const shown = JSON.stringify([goldseam.logged, seen])
  expect(shown).not.toContain(SECRET)
  expect(shown).not.toContain('rate(')
}

/** Until the fault has been on screen for some snapshots, and all that comes of it in the end is there. */
async function lookOn(
  { what = 'everything', why, snapshots = 2, opensBreaker = false, pattern }: FaultRow,
  { look, seen }: Screen,
  beganAtSeconds: number,
  switched: { readonly begin: () => Promise<void>; readonly end: () => Promise<void> },
): Promise<void> {
  let there = true
  const before = seen.length
  const watchedSeconds = () => Date.now() / 1_000 - beganAtSeconds
  const settled = () => {
    const during = seen.slice(before)
    const faulty = during.filter(({ gaps }) => gaps.some((gap) => gap.what === what && gap.why === why))
    if (pattern !== undefined) return during.length >= snapshots && faulty.length > 0 && faulty.length < during.length
    return faulty.length >= snapshots && (!opensBreaker || during.some((one) => nextTries(one).length > 0))
  }
  const longestSeconds = pattern === undefined ? LONGEST_WATCH_SECONDS : LONGEST_FLAPPING_SECONDS
  while (!settled() && watchedSeconds() < longestSeconds) {
    const wanted = pattern?.(Math.floor(watchedSeconds())) ?? true
    if (wanted !== there) await (wanted ? switched.begin() : switched.end())
    there = wanted
    await look()
    await sleep(POLL_MS)
  }
  expect(settled(), `not seen within ${longestSeconds} s: ${JSON.stringify(seen.slice(before))}`).toBe(true)
}

/**
 * (d) Recovery within two refreshes. A circuit breaker adds nothing to that by design: its pause is a little shorter
 * than two refreshes, so that the second snapshot from now at the latest asks again; and that one has until the soft
 * deadline to come on screen. What is asked behind snapshots is asked again behind that one, and comes with the next.
 */
async function expectRecovery(screen: Screen, beside: readonly string[]): Promise<void> {
  const isBack = ({ state, gaps }: Seen) => state === 'ok' && gaps.every(({ what }) => BEHIND.includes(what))
  await expectWithin(TWO_REFRESHES_SECONDS + SOFT_DEADLINE_SECONDS, 2, screen, isBack)
  const isWhole = ({ gaps }: Seen) => gaps.every(({ what }) => beside.includes(what))
  await expectWithin(TWO_REFRESHES_SECONDS, 1, screen, isWhole)
}

/** Within so many seconds, and with the last of so many snapshots; one that is amended is the one it was. */
async function expectWithin(seconds: number, snapshots: number, { look, seen }: Screen, done: (last: Seen) => boolean) {
  const sinceSeconds = Date.now() / 1_000
  const before = seen.length
  for (;;) {
    await look()
    const last = seen.at(-1)
    const elapsedSeconds = Date.now() / 1_000 - sinceSeconds
    const taken = seen.slice(before).filter(({ isAmended }) => !isAmended)
    const why = `still ${JSON.stringify(last)}`
    expect(elapsedSeconds, why).toBeLessThan(seconds)
    if (last !== undefined && done(last)) break
    expect(taken.length, why).toBeLessThan(snapshots)
    await sleep(POLL_MS)
  }
}

function hostOf({ host = '127.0.0.1' }: FaultRow, { port }: FaultProxy): string {
  return `${host}:${port}`
}

/** By how much the most that was resident since now is above what is resident now. */
function watchMemory(memory: ResidentMemory): () => number {
  memory.forgetPeak()
  const before = memory.residentBytes()
  return () => memory.peakBytes() - before
}
