import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { get } from './ask.ts'
import { type Bench, COLD_SETTINGS, untilWhole, withGoldseam } from './bench.ts'
import { type Cold, takeCold } from './cold.ts'
import { number } from './report.ts'
import { type PrometheusFleet, type PrometheusOf, startPrometheusFleet } from './servers.ts'
import { median, pairedRatio, quantile } from './statistics.ts'

const run = promisify(execFile)
const PAIRS_LIMIT = 10
/** With recorded answers a snapshot is mostly Goldseam, whose code is compiled over the first ones. */
const NOT_COUNTED = { small: 6, medium: 6, large: 3 }
/** A Prometheus looks for new blocks once a minute. */
const FOUND_LIMIT_MS = 120_000
/**
 * What is recorded reaches from `before` to `after` the time at which measuring begins, which is `lead` from now: to
 * record a large world takes longer than to measure it.
 */
const RECORDED_SECONDS = {
  small: { lead: 0, before: 900, after: 1_200 },
  medium: { lead: 0, before: 900, after: 1_200 },
  large: { lead: 240, before: 300, after: 1_500 },
}
/** A rule keeps one processor busy. */
const RECORDED_AT_A_TIME = 2

/** A cold snapshot where the shipped recording rules are in place, against the same without them. */
export async function measureRules(bench: Bench): Promise<void> {
  const { world, report, rulesScript, prometheus, say } = bench
  const ruled = await startPrometheusFleet(prometheus, world)
  try {
    const { lead, before, after } = RECORDED_SECONDS[world.size.name]
    const beginsAt = Math.floor(Date.now() / 1_000) + lead
    const stretch = { start: beginsAt - before, end: beginsAt + after }
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
    const raw: Cold[] = []
    const recorded: Cold[] = []
    await withGoldseam(bench, COLD_SETTINGS, async (plain) => {
      const other = { ...bench, fleet: ruled }
      await withGoldseam(other, COLD_SETTINGS, async (goldseam) => {
        await untilWhole(bench, plain)
        await untilWhole(other, goldseam)
        for (let round = 0; round < NOT_COUNTED[world.size.name]; round += 1) {
          await takeCold(bench, plain)
          await takeCold(other, goldseam)
        }
        for (let pair = 0; pair < Math.min(bench.pairs, PAIRS_LIMIT); pair += 1) {
          const runs = [
            async () => void raw.push(await takeCold(bench, plain)),
            async () => void recorded.push(await takeCold(other, goldseam)),
          ]
          for (const take of pair % 2 === 0 ? runs : runs.reverse()) await take()
          say('.')
        }
        say('\n')
      })
    })
    const seconds = (all: readonly Cold[]) => all.map((one) => one.seconds)
    const both = { median: median(seconds(recorded)), p95: quantile(seconds(recorded), 0.95) }
    report.seconds('cold snapshot with the recording rules in place', both)
    const ratio = pairedRatio(seconds(recorded), seconds(raw))
    report.ratio('with the recording rules / without', ratio, { atMost: 0.3 })
    const cpu = median(recorded.map((one) => one.prometheusCpuSeconds))
    report.add('CPU of all Prometheus for one of them', cpu, `${number(cpu)} s`)
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
  await run(promtool, ['tsdb', 'create-blocks-from', 'rules', ...what], { maxBuffer: 16_777_216 })
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
