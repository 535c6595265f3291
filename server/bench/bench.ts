import { readFileSync } from 'node:fs'
import type { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Got, get, textOf } from './ask.ts'
import type { AskedQuery } from './query-log.ts'
import type { Report } from './report.ts'
import { type Goldseam, type PrometheusFleet, startGoldseam } from './servers.ts'
import type { BenchWorld } from './world.ts'

/** What every measure works with. */
export interface Bench {
  readonly world: BenchWorld
  readonly fleet: PrometheusFleet
  readonly prometheus: string
  readonly thanos: string
  /** The built server. */
  readonly main: string
  /** The file that shows every option. */
  readonly example: string
  /** Writes the recording rules of a cluster. */
  readonly rulesScript: string
  readonly agent: Agent
  readonly pairs: number
  /** No further round of pairs is begun so long after the first. */
  readonly limitSeconds: number
  readonly steadySeconds: number
  readonly profileFolder: string | null
  readonly report: Report
  readonly say: (text: string) => void
}

/** What is measured is what it costs, not how well it is held back. */
export const UNBOUNDED = ['maxLoad: 64', 'limits.queryTimeout: 120s', 'limits.softDeadline: 120s']

/**
 * A Goldseam whose snapshots are never young enough to be shared: each request takes a new one, both lanes. The slow lane
 * would fall due by itself only after the next snapshot was, so that it is asked for with the snapshot and never beside.
 */
export const COLD_SETTINGS = ['refresh: 1s', 'bucketRefresh: 3s', ...UNBOUNDED]
/** One whose snapshot is shared by all that follows, with time in between in which no cluster is asked for anything. */
export const WARM_SETTINGS = ['refresh: 3m', 'bucketRefresh: 3m', ...UNBOUNDED]

export async function withGoldseam<T>(
  { main, example, fleet, profileFolder }: Bench,
  settings: readonly string[],
  use: (goldseam: Goldseam) => Promise<T>,
): Promise<T> {
  // Older builds refuse what they do not know; the example names all there is.
  const known = readFileSync(example, 'utf8')
  const understood = settings.filter((setting) =>
    new RegExp(`^ *${setting.split(':')[0]?.split('.').at(-1)}:`, 'm').test(known),
  )
  const limits = understood.filter((setting) => setting.startsWith('limits.'))
  const lines = understood.filter((setting) => !limits.includes(setting))
  lines.push(`limits: { ${limits.map((limit) => limit.slice('limits.'.length)).join(', ')} }`)
  const clusters = fleet.all.map(({ cluster, url }) => ({ name: cluster, url }))
  const nodeArgs = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]
  const goldseam = await startGoldseam(main, clusters, lines, nodeArgs)
  try {
    return await use(goldseam)
  } finally {
    await goldseam.close()
  }
}

const QUIET_MS = 400
const LOOK_MS = 100
/** A large world is read for minutes after a start: its past, of two at once for ten of them. */
const QUIET_LIMIT_MS = 1_200_000
/** Of one processor, by all servers together: their housekeeping. Ten of them at rest take a hundredth now and then. */
const AT_REST = 0.4

/** Waits until nobody asks any Prometheus for anything and Goldseam rests; gives what was asked meanwhile. */
export async function quiet(fleet: PrometheusFleet, goldseam: Goldseam | null): Promise<AskedQuery[]> {
  const asked: AskedQuery[] = []
  let before = { atMs: performance.now(), cpuSeconds: cpuOf(fleet, goldseam) }
  let quietSince = before.atMs
  const giveUpAt = quietSince + QUIET_LIMIT_MS
  while (before.atMs - quietSince < QUIET_MS) {
    await sleep(LOOK_MS)
    const more = fleet.takeQueries().flat()
    const now = { atMs: performance.now(), cpuSeconds: cpuOf(fleet, goldseam) }
    asked.push(...more)
    // Of the time that went by: where processors are short, a look comes late, and more was done before it.
    const busy = (now.cpuSeconds - before.cpuSeconds) / ((now.atMs - before.atMs) / 1_000)
    if (more.length > 0 || busy > AT_REST) quietSince = now.atMs
    before = now
    if (now.atMs > giveUpAt && quietSince === now.atMs) {
      const doing = `${more.length} queries in the last look, ${busy.toFixed(1)} processors busy`
      throw new Error(`the servers do not come to rest in ${QUIET_LIMIT_MS / 60_000} minutes: ${doing}`)
    }
  }
  return asked
}

function cpuOf(fleet: PrometheusFleet, goldseam: Goldseam | null): number {
  return fleet.cpuSeconds() + (goldseam?.program.cpuSeconds() ?? 0)
}

export interface FleetAnswer {
  readonly snapshot: { readonly at: string }
  readonly clusters: readonly {
    readonly name: string
    readonly state: string
    readonly ageSeconds: number | null
    readonly percentilesAgeSeconds: number | null
    readonly reason: string | null
  }[]
  readonly workloads: readonly {
    readonly id: string
    readonly now: { readonly latencySeconds: { readonly p99: number | null } }
  }[]
  readonly suspects: readonly { readonly id: string; readonly path: readonly string[] }[]
}

export function fleetIn(got: Got): FleetAnswer {
  if (got.status !== 200) throw new Error(`Goldseam answered with ${got.status}: ${textOf(got)}`)
  return JSON.parse(textOf(got))
}

/** What the answer lacks of all there is: every cluster in full and of now, and percentiles of every workload that has traffic. */
export function lackOf(answer: FleetAnswer, { size }: BenchWorld): string | null {
  const lacking = answer.clusters.filter(({ state }) => state !== 'ok')
  if (lacking.length > 0) return `not all clusters answered: ${JSON.stringify(lacking)}`
  // Left alone for its load: what is measured then is no cold snapshot.
  const old = answer.clusters.filter(({ ageSeconds }) => ageSeconds !== 0)
  if (old.length > 0) return `not all clusters were asked: ${JSON.stringify(old)}`
  const expected = size.clusters * size.workloads
  const withPercentiles = answer.workloads.filter(({ now }) => now.latencySeconds.p99 !== null).length
  if (answer.workloads.length < expected || withPercentiles < 0.8 * expected) {
    const found = `${answer.workloads.length} workloads, ${withPercentiles} with percentiles`
    return `the answer is not whole: ${found}, of ${expected}`
  }
  return null
}

/** A large world's first answer takes three quarters of a minute, twice that beside the past of another one. */
const WHOLE_LIMIT_SECONDS = 600
/** Who waits wants to know for what. */
const LACK_TOLD_EVERY_SECONDS = 60

/** Asks a server that was just started until its answer holds all there is: when the first came, and when that one. */
export async function untilWhole(
  { agent, world, say }: Bench,
  { url }: Goldseam,
): Promise<{ firstSeconds: number; wholeSeconds: number }> {
  const started = performance.now()
  const since = () => (performance.now() - started) / 1_000
  let firstSeconds: number | null = null
  let toldAt = 0
  for (;;) {
    const lack = lackOf(fleetIn(await get(agent, `${url}/api/v1/fleet`)), world)
    firstSeconds ??= since()
    if (lack === null) return { firstSeconds, wholeSeconds: since() }
    if (since() > WHOLE_LIMIT_SECONDS) throw new Error(lack)
    if (since() - toldAt > LACK_TOLD_EVERY_SECONDS) {
      toldAt = since()
      say(`after ${Math.round(toldAt)} s ${lack.slice(0, 400)}\n`)
    }
    await sleep(1_000)
  }
}

/** How long Goldseam's event loop was held up since this was last asked for, by its own metrics. */
export async function eventLoopLag(
  agent: Agent,
  goldseam: Goldseam,
): Promise<{ p99Seconds: number; mostSeconds: number }> {
  const { body } = await get(agent, `${goldseam.url}/metrics`)
  const gauge = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body.toString())?.[1])
  return {
    p99Seconds: gauge('nodejs_eventloop_lag_p99_seconds'),
    mostSeconds: gauge('nodejs_eventloop_lag_max_seconds'),
  }
}
