import { type Answered, askAll, movedTo } from './ask.ts'
import { type Bench, COLD_SETTINGS, quiet, untilWhole, withGoldseam } from './bench.ts'
import { type Cold, questionsOf, takeCold } from './cold.ts'
import { instant } from './direct.ts'
import type { AskedQuery } from './query-log.ts'
import { column, inRounds, measured } from './rounds.ts'
import { startThanos, type ThanosFleet } from './servers.ts'
import { median, pairedRatio } from './statistics.ts'
import { acrossClusters, withQuantiles } from './thanos-queries.ts'
import { inBytes, inMegabytes, inSeconds, number } from './units.ts'

/** Thanos takes its time: few pairs are enough to see a factor of three. A round of a large world takes a quarter of an hour. */
const PAIRS_LIMIT = { small: 8, medium: 8, large: 2 }

interface Through extends Answered {
  /** Of Thanos Query and its sidecars. */
  readonly thanosCpuSeconds: number
  readonly prometheusCpuSeconds: number
}

interface Round {
  readonly cold: Cold
  readonly plain: Through
  readonly quantiles: Through
}

/** The questions of a cold snapshot through Thanos Query: as they are, and with the quantiles computed there. */
export async function measureThanos(bench: Bench): Promise<void> {
  const { fleet, report, world } = bench
  const thanos = await startThanos(bench.thanos, fleet)
  try {
    await withGoldseam(bench, COLD_SETTINGS, async (goldseam) => {
      await untilWhole(bench, goldseam)
      // Every cluster is asked the same; Thanos is asked once for all of them.
      const queries = (questionsOf(await takeCold(bench, goldseam))[0] ?? []).map(acrossClusters)
      const through = async (asked: readonly AskedQuery[]) => {
        await quiet(fleet, goldseam)
        return askThanos(bench, thanos, asked)
      }
      // The first time finds no connections: not counted. One question opens them all.
      await through(world.size.name === 'large' ? queries.slice(0, 1) : queries)
      const candidates = {
        cold: () => takeCold(bench, goldseam),
        plain: () => through(queries),
        quantiles: () => through(queries.flatMap(withQuantiles)),
      }
      reportRounds(bench, await inRounds<Round>(bench, 'thanos', candidates, { most: PAIRS_LIMIT[world.size.name] }))
    })
    const peaks = thanos.sidecars.map((sidecar) => sidecar.peakBytes())
    const together = peaks.reduce((sum, peak) => sum + peak, 0)
    const peak = thanos.query.peakBytes()
    report.add('peak RSS of Thanos Query', peak / 1e6, inMegabytes(peak))
    report.add('... of its sidecars, all together at most', together / 1e6, inMegabytes(together))
  } finally {
    await thanos.close()
  }
}

function reportRounds({ report }: Bench, rounds: readonly Partial<Round>[]): void {
  const seconds = (name: keyof Round) => column(rounds, name, (one) => one.seconds)
  report.seconds('Thanos Query, the same questions', seconds('plain'))
  report.seconds('Thanos Query, quantiles computed there', seconds('quantiles'))
  report.ratio('Thanos Query / cold snapshot', pairedRatio(seconds('plain'), seconds('cold')), { atLeast: 3 })
  report.ratio('Thanos Query with quantiles / cold snapshot', pairedRatio(seconds('quantiles'), seconds('cold')))
  const [plain, quantiles] = [measured(rounds, 'plain'), measured(rounds, 'quantiles')]
  const both = (what: string, of: (one: Through) => number, shown: (value: number) => string) => {
    if (plain.length + quantiles.length === 0) return
    const each = { plain: median(plain.map(of)), quantiles: median(quantiles.map(of)) }
    report.add(`${what}: plain, with quantiles`, each.plain, `${shown(each.plain)}, ${shown(each.quantiles)}`, {}, each)
  }
  both('queries to Thanos Query', (one) => one.queries, number)
  both('bytes from Thanos Query', (one) => one.bytes, inBytes)
  both('CPU of Thanos Query and sidecars', (one) => one.thanosCpuSeconds, inSeconds)
  both('CPU of all Prometheus for Thanos', (one) => one.prometheusCpuSeconds, inSeconds)
}

async function askThanos(
  { agent, fleet }: Bench,
  { url, query, sidecars }: ThanosFleet,
  queries: readonly AskedQuery[],
): Promise<Through> {
  const thanosCpu = () => [query, ...sidecars].reduce((sum, program) => sum + program.cpuSeconds(), 0)
  const at = instant()
  const before = { thanos: thanosCpu(), prometheus: fleet.cpuSeconds() }
  const asked = [{ url, queries: queries.map((one) => movedTo(one, at)) }]
  // Part of an answer would read as a fast one.
  const answered = await askAll(agent, asked, { timeout: '900s', partial_response: 'false' })
  return {
    ...answered,
    thanosCpuSeconds: thanosCpu() - before.thanos,
    prometheusCpuSeconds: fleet.cpuSeconds() - before.prometheus,
  }
}
