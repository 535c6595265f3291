import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { get } from './ask.ts'
import { type Bench, COLD_SETTINGS, untilWhole, withGoldseam } from './bench.ts'
import { type Cold, questionsOf, ranAndWaited, takeCold } from './cold.ts'
import { column, inRounds, measured } from './rounds.ts'
import { type PrometheusFleet, type PrometheusOf, startPrometheusFleet } from './servers.ts'
import { pairedRatio } from './statistics.ts'
import { inSeconds } from './units.ts'

const run = promisify(execFile)
const PAIRS_LIMIT = { small: 10, medium: 10, large: 6 }
/** With recorded answers a snapshot is mostly Goldseam, whose code is compiled over the first ones. */
const NOT_COUNTED = 6
/** A Prometheus looks for new blocks once a minute; a busy one takes its time. */
const FOUND_LIMIT_MS = 300_000
/**
 * What is recorded reaches from `before` to `after` the time at which measuring begins, which is `lead` from now: to
 * record a large world takes longer than to measure it.
 */
const RECORDED_SECONDS = {
  small: { lead: 0, before: 900, after: 1_200 },
  medium: { lead: 0, before: 900, after: 1_200 },
  large: { lead: 300, before: 300, after: 2_700 },
}
/** A rule keeps one processor busy. */
const RECORDED_AT_A_TIME = 2

interface Round {
  readonly raw: Cold
  readonly recorded: Cold
}

/** A cold snapshot where the shipped recording rules are in place, against the same without them. */
export async function measureRules(bench: Bench): Promise<void> {
  const { world, report, rulesScript, prometheus, say } = bench
  const ruled = await startPrometheusFleet(prometheus, world)
  try {
    const { lead, before, after } = RECORDED_SECONDS[world.size.name]
    const beginsAt = Math.floor(Date.now() / 1_000) + lead
    const stretch = { start: beginsAt - before, end: Math.min(beginsAt + after, world.toSeconds) }
    const left = [...ruled.all]
    const recordNext = async () => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        const { cluster } = one
        const peers = ruled.all.flatMap((other) => (other === one ? [] : [other.cluster]))
        say(`recording ${cluster}\n`)
        await record(one, prometheus, await rulesFor(peers, one, rulesScript), stretch)
      }
    }
    await Promise.all(Array.from({ length: RECORDED_AT_A_TIME }, recordNext))
    await sleep(Math.max(0, beginsAt * 1_000 - Date.now()))
    await untilFound(bench, ruled)
    const other = { ...bench, fleet: ruled }
    const rounds = await withGoldseam(bench, COLD_SETTINGS, (plain) =>
      withGoldseam(other, COLD_SETTINGS, async (goldseam) => {
        await untilWhole(bench, plain)
        await untilWhole(other, goldseam)
        for (let round = 0; round < NOT_COUNTED; round += 1) {
          await takeCold(bench, plain)
          await takeCold(other, goldseam)
        }
        const candidates = { raw: () => takeCold(bench, plain), recorded: () => takeCold(other, goldseam) }
        // Beyond what was recorded Goldseam would ask for the raw series again.
        const options = { most: PAIRS_LIMIT[world.size.name], endsAtSeconds: stretch.end }
        return inRounds<Round>(bench, 'rules', candidates, options)
      }),
    )
    const seconds = (name: keyof Round) => column(rounds, name, (one) => one.seconds)
    report.seconds('cold snapshot with the recording rules in place', seconds('recorded'))
    report.seconds('... the same without them', seconds('raw'))
    const ratio = pairedRatio(seconds('recorded'), seconds('raw'))
    report.ratio('with the recording rules / without', ratio, { atMost: 0.3 })
    const cpu = column(rounds, 'recorded', (one) => one.prometheusCpuSeconds)
    report.typical('CPU of all Prometheus for one of them', cpu, inSeconds)
    const recorded = measured(rounds, 'recorded')
    const serverCpu = recorded.map((one) => one.serverCpuSeconds)
    report.typical('CPU of Goldseam for one of them', serverCpu, inSeconds)
    if (recorded.length > 0) report.add('... its main thread', 0, ranAndWaited(recorded.map((one) => one.mainThread)))
    const queries = (name: keyof Round) => measured(rounds, name).map((one) => questionsOf(one).flat().length)
    report.typical('queries of one of them', queries('recorded'), (count) => `${count}`)
    // What is compared has to be a whole cold snapshot on either side.
    report.typical('... without the rules', queries('raw'), (count) => `${count}`)
    const rawCpu = column(rounds, 'raw', (one) => one.prometheusCpuSeconds)
    report.typical('CPU of all Prometheus without the rules', rawCpu, inSeconds)
  } finally {
    await ruled.close()
  }
}

/** As the README tells to write them where services are mirrored; returns the file. */
async function rulesFor(peers: readonly string[], { data }: PrometheusOf, rulesScript: string): Promise<string> {
  const file = join(dirname(data), 'rules.yaml')
  await run(process.execPath, [rulesScript, '--peers', peers.join(','), '--to', file])
  return file
}

/**
 * Evaluates the rules as if they had been recording for a while, into blocks beside the others. Prometheus itself does
 * not, because its rules may record nothing that is older than what is there, and the world reaches into the future.
 */
async function record(
  { url, data }: PrometheusOf,
  prometheus: string,
  file: string,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<void> {
  const what = [`--url=${url}`, `--start=${start}`, `--end=${end}`, `--output-dir=${data}`, file]
  const promtool = join(dirname(prometheus), 'promtool')
  // What is not recorded by the end of its own stretch is of no use.
  const timeout = Math.max(1, end * 1_000 - Date.now())
  await run(promtool, ['tsdb', 'create-blocks-from', 'rules', ...what], { maxBuffer: 16_777_216, timeout })
}

async function untilFound({ agent, say }: Bench, { all }: PrometheusFleet): Promise<void> {
  const giveUpAt = performance.now() + FOUND_LIMIT_MS
  const query = encodeURIComponent('goldseam:rules:interval_seconds{dialect="linkerd",lane="slow"}')
  say('waiting for what was recorded\n')
  for (const { url } of all) {
    for (;;) {
      const { body } = await get(agent, `${url}/api/v1/query?query=${query}`, { 'accept-encoding': 'identity' })
      const { data } = JSON.parse(body.toString()) as { data?: { result: unknown[] } }
      if ((data?.result.length ?? 0) > 0) break
      if (performance.now() > giveUpAt) throw new Error('what the recording rules record is not found')
      await sleep(2_000)
    }
  }
}
