import { setTimeout as sleep } from 'node:timers/promises'
import { get } from './ask.ts'
import {
  type Bench,
  COLD_SETTINGS,
  eventLoopLag,
  type FleetAnswer,
  fleetIn,
  lackOf,
  quiet,
  untilWhole,
  withGoldseam,
} from './bench.ts'
import { askDirectly, type Direct, instantQuery } from './direct.ts'
import { type Scheduled, scheduledSince } from './programs.ts'
import type { AskedQuery } from './query-log.ts'
import { REFERENCE } from './reference.ts'
import { column, inRounds, measured } from './rounds.ts'
import type { Goldseam } from './servers.ts'
import { median, pairedRatio } from './statistics.ts'
import { inBytes, inMegabytes, inMilliseconds, inSeconds } from './units.ts'

/** One cold snapshot, and what it cost. */
export interface Cold {
  readonly seconds: number
  readonly bytes: number
  readonly serverCpuSeconds: number
  readonly prometheusCpuSeconds: number
  /** Of the server, until the answer was complete. */
  readonly mainThread: Scheduled
  /** Asked before the answer was complete, one list a cluster. */
  readonly asked: readonly AskedQuery[][]
  /** Asked after it. */
  readonly afterwards: readonly AskedQuery[]
}

/** Rates and percentiles of `COLD_SETTINGS` come anew then. */
const STALE_MS = 9_600

/** A snapshot for which nothing is held, over HTTP, to its last byte. */
export async function takeCold(bench: Bench, goldseam: Goldseam, path = '/api/v1/fleet'): Promise<Cold> {
  const { agent, fleet, world } = bench
  await quiet(fleet, goldseam)
  await sleep(STALE_MS)
  fleet.takeQueries()
  const { program } = goldseam
  const before = { server: program.cpuSeconds(), prometheus: fleet.cpuSeconds(), mainThread: program.mainThread() }
  const got = await get(agent, `${goldseam.url}${path}`)
  const asked = fleet.takeQueries()
  const cost = {
    mainThread: scheduledSince(before.mainThread, program.mainThread()),
    serverCpuSeconds: program.cpuSeconds() - before.server,
    prometheusCpuSeconds: fleet.cpuSeconds() - before.prometheus,
  }
  if (path === '/api/v1/fleet') {
    const answer = fleetIn(got)
    const lack = lackOf(answer, world) ?? olderPercentiles(answer)
    if (lack !== null) throw new Error(lack)
  }
  const afterwards = await quiet(fleet, goldseam)
  return { seconds: got.seconds, bytes: got.bytes, ...cost, asked, afterwards }
}

/**
 * Drawn out by the load cap, or asked for while the servers came to rest: it would be half of a cold snapshot. Where
 * recording rules make them as cheap as rates they come with these, and have no age.
 */
function olderPercentiles({ clusters }: FleetAnswer): string | null {
  const older = clusters.filter(({ percentilesAgeSeconds }) => (percentilesAgeSeconds ?? 0) > 0)
  return older.length === 0 ? null : `percentiles were not asked for: ${JSON.stringify(older)}`
}

/**
 * What the snapshot itself asked, one list a cluster: instants. Of a large world the newest steps of the past are asked
 * while its answer is still put together; nobody waits for them, and `direct` would be the slower for them.
 */
export function questionsOf({ asked }: Cold): AskedQuery[][] {
  return asked.map((queries) => queries.filter(({ stepSeconds }) => stepSeconds === 0))
}

interface Round {
  readonly cold: Cold
  readonly direct: Direct
  readonly reference: Direct
}

/** Cold snapshot, the same queries asked directly, and the fixed reference set: in turn, each round in another order. */
export async function measureCold(bench: Bench): Promise<void> {
  const { agent, fleet, report, world } = bench
  await withGoldseam(bench, COLD_SETTINGS, async (goldseam) => {
    const { firstSeconds, wholeSeconds } = await untilWhole(bench, goldseam)
    report.add('first answer after the start of the server', firstSeconds, inMilliseconds(firstSeconds))
    report.add('first whole answer after the start', wholeSeconds, inMilliseconds(wholeSeconds))
    // The first ones find cold caches on both sides: not counted.
    for (let round = 0; round < 2; round += 1) await takeCold(bench, goldseam)
    let known = questionsOf(await takeCold(bench, goldseam))
    await eventLoopLag(agent, goldseam)
    const reference = fleet.all.map(() => REFERENCE.map(instantQuery))
    const rounds = await inRounds<Round>(bench, 'cold', {
      cold: async () => {
        const taken = await takeCold(bench, goldseam)
        known = questionsOf(taken)
        return taken
      },
      direct: () => askDirectly(bench, goldseam, known),
      reference: () => askDirectly(bench, goldseam, reference),
    })
    reportRounds(bench, rounds)
    const { p99Seconds, mostSeconds } = await eventLoopLag(agent, goldseam)
    const shown = `${inMilliseconds(p99Seconds)}; at most ${inMilliseconds(mostSeconds)}`
    report.add('event-loop delay p99 during snapshots', p99Seconds * 1_000, shown, { atMost: 50 })
    const peak = goldseam.program.peakBytes()
    report.add('peak RSS of the server', peak / 1e6, inMegabytes(peak), {
      atMost: world.size.name === 'large' ? 700 : 300,
    })
  })
}

function reportRounds({ report, world }: Bench, rounds: readonly Partial<Round>[]): void {
  const isLarge = world.size.name === 'large'
  const seconds = (name: keyof Round) => column(rounds, name, (one) => one.seconds)
  report.seconds('direct: the same queries, a bare client', seconds('direct'))
  report.seconds('the fixed reference set, a bare client', seconds('reference'))
  report.seconds('cold snapshot', seconds('cold'))
  const overDirect = pairedRatio(seconds('cold'), seconds('direct'))
  report.ratio('cold snapshot / direct', overDirect, { atMost: isLarge ? 1.15 : 1.1 })
  report.ratio('direct / reference set', pairedRatio(seconds('direct'), seconds('reference')), { atMost: 1.1 })
  const cold = measured(rounds, 'cold')
  const queries = cold.map((one) => questionsOf(one).flat().length)
  const all = cold.map(({ asked, afterwards }) => asked.flat().length + afterwards.length)
  const past = median(all.map((count, index) => count - (queries[index] ?? 0)))
  report.typical('queries of a cold snapshot', queries, (count) => `${count}, and ${past} nobody waits for`)
  const bytes = (name: keyof Round) => column(rounds, name, (one) => one.bytes)
  report.typical('bytes from all Prometheus: direct', bytes('direct'), inBytes)
  report.typical('bytes from all Prometheus: the reference set', bytes('reference'), inBytes)
  report.typical('bytes of a cold snapshot, to the viewer', bytes('cold'), inBytes)
  const serverCpu = cold.map((one) => one.serverCpuSeconds)
  report.typical('CPU of Goldseam for one cold snapshot', serverCpu, inSeconds)
  if (cold.length > 0) report.add('... its main thread', 0, ranAndWaited(cold.map(({ mainThread }) => mainThread)))
  const snapshotCpu = cold.map((one) => one.prometheusCpuSeconds)
  report.typical('CPU of all Prometheus for one cold snapshot', snapshotCpu, inSeconds)
  const cpu = (name: 'direct' | 'reference') => column(rounds, name, (one) => one.cpuSeconds)
  report.typical('CPU of all Prometheus for direct', cpu('direct'), inSeconds)
  report.typical('CPU of all Prometheus for the reference set', cpu('reference'), inSeconds)
}

/** Where processors are short, a thread waits for one longer than it works. */
export function ranAndWaited(all: readonly Scheduled[]): string {
  const ran = median(all.map(({ ranSeconds }) => ranSeconds))
  const waited = median(all.map(({ waitedSeconds }) => waitedSeconds))
  const each = median(all.map(({ waitedSeconds, turns }) => waitedSeconds / Math.max(1, turns)))
  return `ran ${inSeconds(ran)}, waited ${inSeconds(waited)} for a processor, ${inMilliseconds(each)} each time`
}
