import { askAll, get } from './ask.ts'
import { type Bench, COLD_SETTINGS, fleetIn, quiet, UNBOUNDED, untilWhole, withGoldseam } from './bench.ts'
import { instantQuery, takeCold } from './cold.ts'
import { deploymentPage, namespacePage } from './linkerd-dashboard.ts'
import { number } from './report.ts'
import { median, pairedRatio } from './statistics.ts'
import { namespaceName } from './world.ts'

/** The dashboard's queries cost several snapshots: fewer pairs. */
const PAIRS_LIMIT = 10

/** What Linkerd's own dashboard would ask for the same rows, against what Goldseam asks. */
export async function measureDashboard(bench: Bench): Promise<void> {
  const { fleet, world, report, say } = bench
  const pages = Array.from({ length: world.size.namespaces }, (_, index) => namespacePage(namespaceName(index))).flat()
  const theirs = await askedDirectly(bench, pages, fleet.all.length)
  const cpu = { ours: [] as number[], theirs: [] as number[] }
  const seconds = { ours: [] as number[], theirs: [] as number[] }
  const queries = await withGoldseam(bench, COLD_SETTINGS, async (goldseam) => {
    await untilWhole(bench, goldseam)
    let queries = 0
    let history = 0
    for (let pair = 0; pair < Math.min(bench.pairs, PAIRS_LIMIT); pair += 1) {
      const ours = async () => {
        const taken = await takeCold(bench, goldseam)
        cpu.ours.push(taken.prometheusCpuSeconds)
        seconds.ours.push(taken.seconds)
        queries = taken.asked.flat().length
        history = taken.afterwards.length
      }
      const linkerd = async () => {
        const answered = await askedDirectly(bench, pages, fleet.all.length)
        cpu.theirs.push(answered.cpuSeconds)
        seconds.theirs.push(answered.seconds)
      }
      for (const run of pair % 2 === 0 ? [ours, linkerd] : [linkerd, ours]) await run()
      say('.')
    }
    say('\n')
    const fleetRatio = theirs.queries / queries
    // The dashboard shows no past and no usual values.
    const withPast = `${number(theirs.queries / (queries + history))} with the past and usual values, asked afterwards`
    const named = `${number(fleetRatio)} (${theirs.queries} / ${queries}); ${withPast}`
    report.add("queries of Linkerd's dashboard / ours: fleet", fleetRatio, named, { atLeast: 5 })
    return queries
  })
  await measurePage(bench, queries)
  const ratio = pairedRatio(cpu.ours, cpu.theirs)
  report.ratio("CPU of all Prometheus: snapshot / Linkerd's dashboard", ratio, { atMost: 0.4 })
  const shown = `${number(median(cpu.theirs))} s, ${number(median(seconds.theirs) * 1_000)} ms`
  report.add("Linkerd's dashboard: CPU of all Prometheus, time", median(cpu.theirs), shown)
  await checkPage(bench)
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
    report.add("... a workload's page with its opened path", theirs / added, shown, { atLeast: 20 })
  })
}

/** The queries at once, of each Prometheus. */
async function askedDirectly({ agent, fleet }: Bench, promql: readonly string[], clusters: number) {
  await quiet(fleet, null)
  const before = fleet.cpuSeconds()
  const asked = fleet.all.slice(0, clusters).map(({ url }) => ({ url, queries: promql.map(instantQuery) }))
  const answered = await askAll(agent, asked)
  return { ...answered, cpuSeconds: fleet.cpuSeconds() - before }
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
  await askedDirectly(bench, queries, 1)
}
