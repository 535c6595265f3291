import { ask, movedTo } from './ask.ts'
import { type Bench, COLD_SETTINGS, quiet, untilWhole, withGoldseam } from './bench.ts'
import { instant, questionsOf, takeCold } from './cold.ts'
import type { AskedQuery } from './query-log.ts'
import { number } from './report.ts'
import { startThanos, type ThanosFleet } from './servers.ts'
import { median, pairedRatio, quantile } from './statistics.ts'
import { acrossClusters, withQuantiles } from './thanos-queries.ts'

/** Thanos takes its time: few pairs are enough to see a factor of three. */
const PAIRS_LIMIT = 8

/** The questions of a cold snapshot through Thanos Query: as they are, and with the quantiles computed there. */
export async function measureThanos(bench: Bench): Promise<void> {
  const { fleet, report, say } = bench
  const thanos = await startThanos(bench.thanos, fleet)
  const cold: number[] = []
  const plain: Through[] = []
  const quantiles: Through[] = []
  try {
    await withGoldseam(bench, COLD_SETTINGS, async (goldseam) => {
      await untilWhole(bench, goldseam)
      const known = await takeCold(bench, goldseam)
      // Every cluster is asked the same; Thanos is asked once for all of them.
      const queries = (questionsOf(known)[0] ?? []).map(acrossClusters)
      const runs = [
        async () => void cold.push((await takeCold(bench, goldseam)).seconds),
        async () => {
          await quiet(fleet, goldseam)
          plain.push(await askThanos(bench, thanos, queries))
        },
        async () => {
          await quiet(fleet, goldseam)
          quantiles.push(await askThanos(bench, thanos, queries.flatMap(withQuantiles)))
        },
      ]
      await runs[1]?.()
      plain.length = 0
      for (let pair = 0; pair < Math.min(bench.pairs, PAIRS_LIMIT); pair += 1) {
        for (const turn of [0, 1, 2]) await runs[(turn + pair) % runs.length]?.()
        say('.')
      }
      say('\n')
    })
  } finally {
    await thanos.close()
  }
  const both = (all: readonly Through[]) => {
    const seconds = all.map((one) => one.seconds)
    return { median: median(seconds), p95: quantile(seconds, 0.95) }
  }
  const cpu = (all: readonly Through[]) => number(median(all.map(({ cpuSeconds }) => cpuSeconds)))
  report.seconds('Thanos Query, the same questions', both(plain))
  report.seconds('Thanos Query, quantiles computed there', both(quantiles))
  const seconds = (all: readonly Through[]) => all.map((one) => one.seconds)
  report.ratio('Thanos Query / cold snapshot', pairedRatio(seconds(plain), cold), { atLeast: 3 })
  report.ratio('Thanos Query with quantiles / cold snapshot', pairedRatio(seconds(quantiles), cold))
  report.add('CPU of Thanos and Prometheus: plain, with quantiles', 0, `${cpu(plain)} s, ${cpu(quantiles)} s`)
}

interface Through {
  readonly seconds: number
  readonly cpuSeconds: number
}

async function askThanos(
  { agent, fleet }: Bench,
  { url, programs }: ThanosFleet,
  queries: readonly AskedQuery[],
): Promise<Through> {
  const cpuSeconds = () => fleet.cpuSeconds() + programs.reduce((sum, program) => sum + program.cpuSeconds(), 0)
  const at = instant()
  const before = cpuSeconds()
  const started = performance.now()
  const answers = await Promise.all(queries.map((query) => ask(agent, url, movedTo(query, at), { timeout: '900s' })))
  const seconds = (performance.now() - started) / 1_000
  for (const { status, body } of answers) if (status !== 200) throw new Error(`Thanos Query: ${status} ${body}`)
  return { seconds, cpuSeconds: cpuSeconds() - before }
}
