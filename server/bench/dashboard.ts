import { get } from './ask.ts'
import { type Bench, COLD_SETTINGS, fleetIn, quiet, UNBOUNDED, untilWhole, withGoldseam } from './bench.ts'
import { type Cold, takeCold } from './cold.ts'
import { askDirectly, type Direct, instantQuery } from './direct.ts'
import { deploymentPage, namespacePage } from './linkerd-dashboard.ts'
import { column, inRounds, measured } from './rounds.ts'
import { median, pairedRatio } from './statistics.ts'
import { counted, inBytes, inSeconds, number } from './units.ts'
import { namespaceName } from './world.ts'

/** The dashboard's queries cost several snapshots, minutes in a large world: fewer pairs. */
const PAIRS_LIMIT = { small: 10, medium: 10, large: 3 }

interface Round {
  readonly cold: Cold
  readonly dashboard: Direct
}

/** What Linkerd's own dashboard would ask for the same rows, against what Goldseam asks. */
export async function measureDashboard(bench: Bench): Promise<void> {
  const { fleet, world } = bench
  const pages = Array.from({ length: world.size.namespaces }, (_, index) => namespacePage(namespaceName(index))).flat()
  const queries = fleet.all.map(() => pages.map(instantQuery))
  // The first time finds cold caches: not counted.
  await askDirectly(bench, null, queries)
  const rounds = await withGoldseam(bench, COLD_SETTINGS, async (goldseam) => {
    await untilWhole(bench, goldseam)
    const candidates = {
      cold: () => takeCold(bench, goldseam),
      dashboard: () => askDirectly(bench, goldseam, queries),
    }
    return inRounds<Round>(bench, 'dashboard', candidates, { most: PAIRS_LIMIT[world.size.name] })
  })
  const snapshotQueries = reportRounds(bench, rounds, queries.flat().length)
  await measurePage(bench, snapshotQueries)
  await checkPage(bench)
}

/** Gives the number of queries of a snapshot. */
function reportRounds({ report }: Bench, rounds: readonly Partial<Round>[], theirQueries: number): number {
  const cold = measured(rounds, 'cold')
  const ourQueries = median(cold.map(({ asked }) => asked.flat().length))
  const withPast = median(cold.map(({ asked, afterwards }) => asked.flat().length + afterwards.length))
  if (cold.length > 0) {
    const ratio = theirQueries / ourQueries
    // The dashboard shows no past and no usual values.
    const past = `${number(theirQueries / withPast)} with the past and usual values, asked afterwards`
    const shown = `${number(ratio)} (${theirQueries} / ${ourQueries}, ${counted(cold.length, 'snapshot')}); ${past}`
    report.add("queries of Linkerd's dashboard / ours: fleet", ratio, shown, { atLeast: 5 })
  }
  const seconds = (name: keyof Round) => column(rounds, name, (one) => one.seconds)
  const cpu = {
    ours: column(rounds, 'cold', (one) => one.prometheusCpuSeconds),
    theirs: column(rounds, 'dashboard', (one) => one.cpuSeconds),
  }
  report.seconds("Linkerd's dashboard: its queries, a bare client", seconds('dashboard'))
  report.ratio("Linkerd's dashboard / cold snapshot", pairedRatio(seconds('dashboard'), seconds('cold')))
  const bytes = column(rounds, 'dashboard', (one) => one.bytes)
  report.typical("bytes from all Prometheus: Linkerd's dashboard", bytes, inBytes)
  report.typical("CPU of all Prometheus for Linkerd's dashboard", cpu.theirs, inSeconds)
  const ratio = pairedRatio(cpu.ours, cpu.theirs)
  report.ratio("CPU of all Prometheus: snapshot / Linkerd's dashboard", ratio, { atMost: 0.4 })
  return ourQueries
}

/** What opening a workload asks for, beside the snapshot that is there for all viewers, and with one of its own. */
async function measurePage(bench: Bench, snapshot: number): Promise<void> {
  const { fleet, agent, report } = bench
  const asked = () => fleet.takeQueries().flat().length
  // Nothing falls due meanwhile: what is asked then is asked for the page.
  await withGoldseam(bench, ['refresh: 10m', 'bucketRefresh: 10m', ...UNBOUNDED], async (goldseam) => {
    await untilWhole(bench, goldseam)
    await quiet(fleet, goldseam)
    asked()
    const path = await openedPath(bench, goldseam.url)
    // What that answer still has asked behind it, the newest steps of the past, is not asked for the page.
    await quiet(fleet, goldseam)
    asked()
    const { status } = await get(agent, `${goldseam.url}/api/v1/workloads/${path[0]}`)
    const added = asked()
    if (status !== 200 || added === 0) throw new Error(`${path[0]}: ${status}, ${added} queries`)
    const theirs = 87 * path.length
    const alone = number(theirs / (added + snapshot))
    const shown = `${number(theirs / added)} (87 x ${path.length} on the path / ${added}); ${alone} if nobody else watches`
    report.add("queries of Linkerd's dashboard / ours: a workload's path", theirs / added, shown, { atLeast: 20 })
  })
}

/** From a workload in trouble down to its first suspect: what somebody who looks into it opens. */
async function openedPath({ agent }: Bench, url: string): Promise<string[]> {
  const { suspects, workloads } = fleetIn(await get(agent, `${url}/api/v1/fleet`))
  const path = suspects[0]?.path ?? []
  return path.length > 0 ? [...path] : workloads.slice(0, 1).map(({ id }) => id)
}

/** The page's queries must be good ones: 87, each answered. */
async function checkPage(bench: Bench): Promise<void> {
  const queries = deploymentPage(namespaceName(0), 'svc-0000')
  if (queries.length !== 87) throw new Error(`the page of a deployment has 87 queries, not ${queries.length}`)
  await askDirectly(bench, null, [queries.map(instantQuery)])
}
