import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Got, get } from './ask.ts'
import { type Bench, quiet, UNBOUNDED, untilWhole, WARM_SETTINGS, withGoldseam } from './bench.ts'
import { ranAndWaited } from './cold.ts'
import { endWithRun, scheduledSince } from './programs.ts'
import type { AskedQuery } from './query-log.ts'
import { median, quantile } from './statistics.ts'
import { counted, inBytes, inMilliseconds, number } from './units.ts'
import type { WarmJob } from './warm-viewer.ts'

const WARM_REQUESTS = 1_000
const WARM_LIMIT_MS = 40_000
/** As the pages ask (`web/src/api/queries.ts`). */
const FIRST_ROWS = 1_000

/** A snapshot that is there already: how fast it is handed out, and how many bytes it has. */
export async function measureWarm(bench: Bench): Promise<void> {
  const { agent, report, fleet, world } = bench
  const isLarge = world.size.name === 'large'
  await withGoldseam(bench, WARM_SETTINGS, async (goldseam) => {
    await untilWhole(bench, goldseam)
    await quiet(fleet, goldseam)
    const url = `${goldseam.url}/api/v1/fleet`
    let etag = ''
    // What is measured is the server, not how it shares two processors with ten that are asked.
    const settle = async () => {
      etag = await settledEtag(() => get(agent, url))
      await quiet(fleet, goldseam)
    }
    await settle()
    const shown = (seconds: readonly number[]) =>
      `p99 ${inMilliseconds(quantile(seconds, 0.99))}, median ${inMilliseconds(median(seconds))} (${seconds.length} requests)`
    const goal = { atMost: isLarge ? 10 : 5 }
    const before = goldseam.program.mainThread()
    const unchanged = await timed(url, etag)
    const meanwhile = scheduledSince(before, goldseam.program.mainThread())
    report.add('warm fleet, 304', quantile(unchanged, 0.99) * 1_000, shown(unchanged), goal)
    report.add('... main thread of the server meanwhile', 0, ranAndWaited([meanwhile]))
    await settle()
    const whole = await timed(url, null)
    report.add('warm fleet, the body that is held', quantile(whole, 0.99) * 1_000, shown(whole), goal)
    const overTheWire = async (query: string) => {
      const { bytes, headers } = await get(agent, url + query, { 'accept-encoding': 'br, gzip' })
      return { bytes, said: `${inBytes(bytes)} (${headers['content-encoding']})` }
    }
    // As the browser asks for it, and as programs do.
    const [table, rows] = [await overTheWire('?as=table'), await overTheWire('')]
    report.add('fleet body over the wire, bytes', table.bytes, table.said, { atMost: isLarge ? 900_000 : 150_000 })
    // What the pages draw first, while the rest is on its way.
    const first = await overTheWire(`?as=table&first=${FIRST_ROWS}`)
    report.add(`... its first ${FIRST_ROWS} workloads, bytes`, first.bytes, first.said, { atMost: 150_000 })
    report.add('fleet body as rows, bytes', rows.bytes, rows.said)
  })
}

const SETTLED_MS = 2_000
const SETTLED_LIMIT = 30

/** Of a snapshot that is not judged anew any more: what was late is judged together, some time after it came in. */
async function settledEtag(request: () => Promise<Got>): Promise<string> {
  let before = ''
  for (let look = 0; look < SETTLED_LIMIT; look += 1) {
    const etag = String((await request()).headers.etag)
    if (etag === before) return etag
    before = etag
    await sleep(SETTLED_MS)
  }
  throw new Error('the snapshot does not settle')
}

const VIEWER = fileURLToPath(new URL('./warm-viewer.js', import.meta.url))

/** One after the other, as one viewer after the other asks; with an ETag: by those who have that body already. Seconds. */
async function timed(url: string, etag: string | null): Promise<number[]> {
  const job: WarmJob = { url, etag, requests: WARM_REQUESTS, limitMs: WARM_LIMIT_MS }
  const child = spawn(process.execPath, [VIEWER, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithRun(child)
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (code !== 0) throw new Error(`the viewer of warm answers ended with ${code}`)
  return JSON.parse(said) as number[]
}

const VIEWERS = 1_000
/** The same number comes each time; those of a large world take minutes. */
const ROUNDS = { small: 3, medium: 3, large: 2 }
/** Long enough for a thousand to have asked before the next one is due, which is so long after the last began. */
const VIEWERS_REFRESH_SECONDS = { small: 8, medium: 20, large: 60 }
/** Between two of them all falls due that is asked by the clock, however many look: once a minute at the most. */
const PAUSE_SECONDS = 75

/** What the clusters are asked for when a thousand look at once, against one. */
export async function measureViewers(bench: Bench): Promise<void> {
  const { agent, report, fleet, world } = bench
  const refreshSeconds = VIEWERS_REFRESH_SECONDS[world.size.name]
  // Everything each time: what is asked once a minute would fall to the one or to the other.
  const each = `${refreshSeconds}s`
  const settings = [`refresh: ${each}`, `bucketRefresh: ${each}`, ...UNBOUNDED]
  await withGoldseam(bench, settings, async (goldseam) => {
    await untilWhole(bench, goldseam)
    const asked = async (viewers: number) => {
      await quiet(fleet, goldseam)
      await sleep(PAUSE_SECONDS * 1_000)
      fleet.takeQueries()
      const look = () => get(agent, `${goldseam.url}/api/v1/fleet`)
      const answers = await Promise.all(Array.from({ length: viewers }, look))
      const refused = answers.find(({ status }) => status !== 200)
      if (refused !== undefined) throw new Error(`a viewer was answered with ${refused.status}`)
      return [...fleet.takeQueries().flat(), ...(await quiet(fleet, goldseam))]
    }
    // What is asked once, or for the first time, belongs to neither.
    await asked(1)
    const [one, many]: [AskedQuery[][], AskedQuery[][]] = [[], []]
    for (let round = 0; round < ROUNDS[world.size.name]; round += 1) {
      const inTurn = [async () => one.push(await asked(1)), async () => many.push(await asked(VIEWERS))]
      for (const take of round % 2 === 0 ? inTurn : inTurn.reverse()) await take()
    }
    const [few, all] = [one, many].map((rounds) => median(rounds.map(({ length }) => length))) as [number, number]
    const shown = `${number(all / few)} (${all} / ${few} a snapshot, ${counted(one.length, 'pair')})`
    report.add(`upstream queries with ${VIEWERS} viewers / with 1`, all / few, shown, { atMost: 1 })
    for (const [question, [once, often]] of differences(one, many))
      report.add('... of all rounds', often - once, `${once} with 1, ${often} with ${VIEWERS}: \`${question}\``)
  })
}

const SHOWN_CHARACTERS = 100

/** The questions that one was asked more often than the other over all rounds, with both numbers. */
function differences(one: readonly AskedQuery[][], many: readonly AskedQuery[][]): [string, [number, number]][] {
  const counts = new Map<string, [number, number]>()
  for (const [side, rounds] of [one, many].entries()) {
    for (const { promql, stepSeconds } of rounds.flat()) {
      const question = `${stepSeconds === 0 ? 'at' : 'over'} ${promql.slice(0, SHOWN_CHARACTERS)}`
      const both = counts.get(question) ?? [0, 0]
      both[side] = (both[side] ?? 0) + 1
      counts.set(question, both)
    }
  }
  return [...counts].filter(([, [once, often]]) => once !== often)
}
