import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { get } from './ask.ts'
import { type Bench, COLD_SETTINGS, untilWhole, withGoldseam } from './bench.ts'
import { type Cold, takeCold } from './cold.ts'
import { number } from './report.ts'
import { type PrometheusFleet, startPrometheusFleet } from './servers.ts'
import { median, pairedRatio, quantile } from './statistics.ts'

const PAIRS_LIMIT = 10
const RECORDED_LIMIT_MS = 240_000
/** Of the lane that is evaluated less often. */
const EVALUATIONS = 4

/** A cold snapshot where the shipped recording rules are in place, against the same without them. */
export async function measureRules(bench: Bench): Promise<void> {
  const { world, report, rulesFolder, prometheus, say } = bench
  const files = existsSync(rulesFolder) ? readdirSync(rulesFolder).filter((name) => name.endsWith('.yaml')) : []
  if (files.length === 0) throw new Error(`there are no recording rules in ${rulesFolder}`)
  const ruled = await startPrometheusFleet(
    prometheus,
    world,
    files.map((name) => join(rulesFolder, name)),
  )
  try {
    await untilRecorded(bench, ruled)
    const raw: Cold[] = []
    const recorded: Cold[] = []
    await withGoldseam(bench, COLD_SETTINGS, async (plain) => {
      const other = { ...bench, fleet: ruled }
      await withGoldseam(other, COLD_SETTINGS, async (goldseam) => {
        await untilWhole(bench, plain)
        await untilWhole(other, goldseam)
        for (let pair = 0; pair < Math.min(bench.pairs, PAIRS_LIMIT); pair += 1) {
          const runs = [
            async () => void raw.push(await takeCold(bench, plain)),
            async () => void recorded.push(await takeCold(other, goldseam)),
          ]
          for (const run of pair % 2 === 0 ? runs : runs.reverse()) await run()
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
    report.add('CPU of all Prometheus for one of them, rules included', cpu, `${number(cpu)} s`)
  } finally {
    await ruled.close()
  }
}

/** Goldseam trusts rules that have been recording for a while. */
async function untilRecorded({ agent, say }: Bench, { all }: PrometheusFleet): Promise<void> {
  const giveUpAt = performance.now() + RECORDED_LIMIT_MS
  const declared = 'goldseam:rules:interval_seconds{dialect="linkerd",lane="slow"}'
  const query = encodeURIComponent(`max(count_over_time(${declared}[10m])) >= ${EVALUATIONS}`)
  say('waiting for the rules to record\n')
  for (const { url } of all) {
    for (;;) {
      const { body } = await get(agent, `${url}/api/v1/query?query=${query}`, { 'accept-encoding': 'identity' })
      const { data } = JSON.parse(body.toString()) as { data?: { result: unknown[] } }
      if ((data?.result.length ?? 0) > 0) break
      if (performance.now() > giveUpAt) throw new Error('the recording rules record nothing')
      await sleep(2_000)
    }
  }
}
