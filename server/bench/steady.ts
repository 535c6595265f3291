import { setTimeout as sleep } from 'node:timers/promises'
import { get } from './ask.ts'
import { type Bench, eventLoopLag, fleetIn, quiet, UNBOUNDED, untilWhole, withGoldseam } from './bench.ts'
import { number } from './report.ts'
import type { Goldseam } from './servers.ts'

const REFRESH_SECONDS = 10
const LOOK_EVERY_MS = 2_000
/** The past is read once, in the minute after the first answer: that is no steady state. */
const SETTLING_SECONDS = 60

interface Steady {
  readonly prometheusCpuSeconds: number
  readonly serverCpuSeconds: number
  readonly snapshots: number
  readonly queries: number
  readonly peakBytes: number
  readonly lagP99Seconds: number
}

/** One viewer for some minutes: buckets in a lane of their own, against everything with each refresh. */
export async function measureSteady(bench: Bench): Promise<void> {
  const { report, steadySeconds } = bench
  const lanes = await steady(bench, TWO_LANES)
  const everything = await steady(bench, EVERYTHING)
  // The same number of snapshots, so that one that is late does not read as one that is cheap.
  const each = ({ prometheusCpuSeconds, snapshots }: Steady) => prometheusCpuSeconds / snapshots
  const ratio = each(lanes) / each(everything)
  const shown = ({ prometheusCpuSeconds, snapshots, queries }: Steady) =>
    `${number(prometheusCpuSeconds)} s, ${snapshots} snapshots, ${queries} queries`
  report.add(`CPU of all Prometheus over ${steadySeconds} s, two lanes`, lanes.prometheusCpuSeconds, shown(lanes))
  report.add('... everything each time', everything.prometheusCpuSeconds, shown(everything))
  const both = { lanes, everything }
  report.add('... two lanes / everything, a snapshot', ratio, number(ratio), { atMost: 0.4 }, both)
  const server = lanes.serverCpuSeconds / lanes.snapshots
  report.add('CPU of Goldseam for one refresh, two lanes', server, `${number(server)} s`)
  report.add('event-loop delay p99, two lanes', lanes.lagP99Seconds, `${number(lanes.lagP99Seconds * 1_000)} ms`)
}

const COMMON = [`refresh: ${REFRESH_SECONDS}s`, ...UNBOUNDED]
const TWO_LANES = [...COMMON, 'bucketRefresh: 30s']
const EVERYTHING = [...COMMON, `bucketRefresh: ${REFRESH_SECONDS}s`]

async function steady(bench: Bench, settings: readonly string[]): Promise<Steady> {
  const { agent, fleet, steadySeconds } = bench
  return withGoldseam(bench, settings, async (goldseam) => {
    await untilWhole(bench, goldseam)
    await quiet(fleet, goldseam)
    await watch(bench, goldseam, Math.min(steadySeconds, SETTLING_SECONDS))
    await eventLoopLag(agent, goldseam)
    fleet.takeQueries()
    const before = { server: goldseam.program.cpuSeconds(), prometheus: fleet.cpuSeconds() }
    const { seen, queries } = await watch(bench, goldseam, steadySeconds)
    return {
      prometheusCpuSeconds: fleet.cpuSeconds() - before.prometheus,
      serverCpuSeconds: goldseam.program.cpuSeconds() - before.server,
      snapshots: seen.size,
      queries: queries + fleet.takeQueries().flat().length,
      peakBytes: goldseam.program.peakBytes(),
      lagP99Seconds: (await eventLoopLag(agent, goldseam)).p99Seconds,
    }
  })
}

/** Looks again and again, as a page does; gives the snapshots that were seen and the number of queries meanwhile. */
async function watch({ agent, fleet }: Bench, { url }: Goldseam, seconds: number) {
  const seen = new Set<string>()
  let queries = 0
  const endsAt = performance.now() + seconds * 1_000
  while (performance.now() < endsAt) {
    seen.add(fleetIn(await get(agent, `${url}/api/v1/fleet`)).snapshot.at)
    queries += fleet.takeQueries().flat().length
    await sleep(LOOK_EVERY_MS)
  }
  return { seen, queries }
}
