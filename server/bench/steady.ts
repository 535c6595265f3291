import { setTimeout as sleep } from 'node:timers/promises'
import { get } from './ask.ts'
import { type Bench, eventLoopLag, fleetIn, quiet, UNBOUNDED, untilWhole, withGoldseam } from './bench.ts'
import { type Goldseam, type PrometheusFleet, startPrometheusFleet } from './servers.ts'
import { counted, inMegabytes, inMilliseconds, inSeconds, number } from './units.ts'

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

/**
 * One viewer for some minutes: buckets in a lane of their own, against everything with each refresh. Both at once, each
 * with servers of its own over the same blocks: how fast a machine is that others use as well changes by the minute. Of
 * a large world there is no room for two.
 */
export async function measureSteady(bench: Bench): Promise<void> {
  const half = async (name: string, settings: readonly string[], fleet: PrometheusFleet) => {
    const took = await steady({ ...bench, fleet }, settings)
    // Told at once: what one half took stands if the other one fails.
    reportHalf(bench, name, took)
    return took
  }
  const twoLanes = () => half('two lanes', TWO_LANES, bench.fleet)
  const everyTime = (fleet: PrometheusFleet) => half('everything each time', EVERYTHING, fleet)
  const [lanes, everything] =
    bench.world.size.name === 'large'
      ? [await twoLanes(), await everyTime(bench.fleet)]
      : await besides(bench, (second) => bothDone(twoLanes(), everyTime(second)))
  // The same number of snapshots, so that one that is late does not read as one that is cheap.
  const each = ({ prometheusCpuSeconds, snapshots }: Steady) => prometheusCpuSeconds / snapshots
  const ratio = each(lanes) / each(everything)
  const shown = `${number(ratio)} (1 pair, of ${lanes.snapshots} and ${everything.snapshots} snapshots)`
  const numbers = { lanes, everything }
  bench.report.add('CPU of all Prometheus a snapshot: two lanes / everything', ratio, shown, { atMost: 0.4 }, numbers)
}

async function besides<T>({ prometheus, world }: Bench, use: (second: PrometheusFleet) => Promise<T>): Promise<T> {
  const second = await startPrometheusFleet(prometheus, world)
  try {
    return await use(second)
  } finally {
    await second.close()
  }
}

/** Where one fails the other is measured to its end, and nothing of it goes on beside the next measure. */
async function bothDone<T>(one: Promise<T>, other: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([one, other])
  return Promise.all([one, other])
}

function reportHalf({ report, steadySeconds }: Bench, half: string, one: Steady): void {
  const { prometheusCpuSeconds, serverCpuSeconds, snapshots, queries, peakBytes, lagP99Seconds } = one
  const shown = `${inSeconds(prometheusCpuSeconds)}, ${counted(snapshots, 'snapshot')}, ${queries} queries`
  report.add(`CPU of all Prometheus over ${steadySeconds} s, ${half}`, prometheusCpuSeconds, shown)
  const refresh = serverCpuSeconds / snapshots
  const serverShown = `${inSeconds(refresh)}; ${inSeconds(serverCpuSeconds)} in all`
  report.add(`CPU of Goldseam for one refresh, ${half}`, refresh, serverShown)
  report.add(`event-loop delay p99, ${half}`, lagP99Seconds, inMilliseconds(lagP99Seconds))
  report.add(`peak RSS of the server, ${half}`, peakBytes / 1e6, inMegabytes(peakBytes))
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
