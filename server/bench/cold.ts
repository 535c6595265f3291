import { setTimeout as sleep } from 'node:timers/promises'
import { askAll, get, movedTo } from './ask.ts'
import { type Bench, COLD_SETTINGS, eventLoopLag, fleetIn, lackOf, quiet, untilWhole, withGoldseam } from './bench.ts'
import { type Scheduled, scheduledSince } from './programs.ts'
import type { AskedQuery } from './query-log.ts'
import { REFERENCE } from './reference.ts'
import { number } from './report.ts'
import type { Goldseam } from './servers.ts'
import { median, pairedRatio, quantile } from './statistics.ts'

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
  const lack = path === '/api/v1/fleet' ? lackOf(fleetIn(got), world) : null
  if (lack !== null) throw new Error(lack)
  const afterwards = await quiet(fleet, goldseam)
  return { seconds: got.seconds, bytes: got.bytes, ...cost, asked, afterwards }
}

/**
 * What the snapshot itself asked, one list a cluster: instants. Of a large world the newest steps of the past are asked
 * while its answer is still put together; nobody waits for them, and `direct` would be the slower for them.
 */
export function questionsOf({ asked }: Cold): AskedQuery[][] {
  return asked.map((queries) => queries.filter(({ stepSeconds }) => stepSeconds === 0))
}

/** Cold snapshot, the same queries asked directly, and the fixed reference set: in turn, each pair in another order. */
export async function measureCold(bench: Bench): Promise<void> {
  const { agent, fleet, report, pairs, say } = bench
  const direct: number[] = []
  const reference: number[] = []
  const referenceCpu: number[] = []
  const cold: Cold[] = []
  let bytes = 0
  let lag = { p99Seconds: 0, mostSeconds: 0 }
  const peak = await withGoldseam(bench, COLD_SETTINGS, async (goldseam) => {
    const { firstSeconds, wholeSeconds } = await untilWhole(bench, goldseam)
    const milliseconds = (seconds: number) => `${number(seconds * 1_000)} ms`
    report.add('first answer after the start of the server', firstSeconds, milliseconds(firstSeconds))
    report.add('first whole answer after the start', wholeSeconds, milliseconds(wholeSeconds))
    // The first ones find cold caches on both sides: not counted.
    for (let round = 0; round < 2; round += 1) await takeCold(bench, goldseam)
    let known = questionsOf(await takeCold(bench, goldseam))
    await eventLoopLag(agent, goldseam)
    const askDirectly = async (queries: readonly AskedQuery[][]) => {
      await quiet(fleet, goldseam)
      const cpu = fleet.cpuSeconds()
      const at = instant()
      const asked = fleet.all.map(({ url }, index) => ({
        url,
        queries: (queries[index] ?? []).map((query) => movedTo(query, at)),
      }))
      const answered = await askAll(agent, asked)
      return { ...answered, cpuSeconds: fleet.cpuSeconds() - cpu }
    }
    const runs = [
      async () => {
        const taken = await takeCold(bench, goldseam)
        cold.push(taken)
        known = questionsOf(taken)
      },
      async () => {
        const answered = await askDirectly(known)
        direct.push(answered.seconds)
        bytes = answered.bytes
      },
      async () => {
        const answered = await askDirectly(fleet.all.map(() => REFERENCE.map((promql) => instantQuery(promql))))
        reference.push(answered.seconds)
        referenceCpu.push(answered.cpuSeconds)
      },
    ]
    for (let pair = 0; pair < pairs; pair += 1) {
      const order = [0, 1, 2].map((turn) => runs[(turn + pair) % runs.length])
      for (const run of order) await run?.()
      say('.')
    }
    say('\n')
    lag = await eventLoopLag(agent, goldseam)
    return goldseam.program.peakBytes()
  })
  const seconds = cold.map((one) => one.seconds)
  const isLarge = bench.world.size.name === 'large'
  const both = (values: readonly number[]) => ({ median: median(values), p95: quantile(values, 0.95) })
  report.seconds('direct: the same queries, a bare client', both(direct))
  report.seconds('the fixed reference set, a bare client', both(reference))
  report.seconds('cold snapshot', both(seconds))
  report.ratio('cold snapshot / direct', pairedRatio(seconds, direct), { atMost: isLarge ? 1.15 : 1.1 })
  report.ratio('direct / reference set', pairedRatio(direct, reference), { atMost: 1.1 })
  const queries = cold.map((one) => questionsOf(one).flat().length)
  const past = cold.map(
    ({ asked, afterwards }, index) => asked.flat().length - (queries[index] ?? 0) + afterwards.length,
  )
  report.add('queries of a cold snapshot', median(queries), `${median(queries)}, and ${median(past)} nobody waits for`)
  report.add(
    'bytes: upstream, to the viewer',
    bytes,
    `${kilobytes(bytes)}, ${kilobytes(median(cold.map((one) => one.bytes)))}`,
  )
  const cpu = {
    server: median(cold.map((one) => one.serverCpuSeconds)),
    prometheus: median(cold.map((one) => one.prometheusCpuSeconds)),
  }
  report.add('CPU of Goldseam for one cold snapshot', cpu.server, `${number(cpu.server)} s`)
  report.add('CPU of all Prometheus for one cold snapshot', cpu.prometheus, `${number(cpu.prometheus)} s`)
  report.add('CPU of all Prometheus for the reference set', median(referenceCpu), `${number(median(referenceCpu))} s`)
  report.add('... its main thread', 0, ranAndWaited(cold.map(({ mainThread }) => mainThread)))
  const lagShown = `${number(lag.p99Seconds * 1_000)} ms; at most ${number(lag.mostSeconds * 1_000)} ms`
  report.add('event-loop delay p99 during snapshots', lag.p99Seconds * 1_000, lagShown, { atMost: 50 })
  report.add('peak RSS of the server', peak / 1e6, `${number(peak / 1e6)} MB`, { atMost: isLarge ? 700 : 300 })
}

/** Where processors are short, a thread waits for one longer than it works. */
export function ranAndWaited(all: readonly Scheduled[]): string {
  const ran = median(all.map(({ ranSeconds }) => ranSeconds))
  const waited = median(all.map(({ waitedSeconds }) => waitedSeconds))
  const each = median(all.map(({ waitedSeconds, turns }) => waitedSeconds / Math.max(1, turns)))
  return `ran ${number(ran)} s, waited ${number(waited)} s for a processor, ${number(each * 1_000)} ms each time`
}

/** As Goldseam aligns its own. */
export function instant(): number {
  return Math.floor((Date.now() / 1_000 - 2) / 5) * 5
}

export function instantQuery(promql: string): AskedQuery {
  const at = instant()
  return { promql, fromSeconds: at, toSeconds: at, stepSeconds: 0 }
}

export function kilobytes(bytes: number): string {
  return `${number(bytes / 1_000)} KB`
}
