import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oneOfMany } from '../../src/federation/one-of-many.ts'
import { withScrapeInterval } from '../../src/federation/with-scrape-interval.ts'
import type { ClusterPrometheus } from '../../src/prometheus/create-prometheus.ts'
import { type RealPrometheus, startPrometheus } from '../support/start-prometheus.ts'
import { type Engines, findEngines } from './find-engines.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { clientOf } from './ours.ts'
import { remoteWrite, STALE, type TimeSeries } from './remote-write.ts'
import { startVictoria, type Victoria, writeInto } from './start-victoria.ts'

/** Within a minute: neither on the steps of a subquery nor on a scrape. */
const AT_SECONDS = Math.floor(Date.now() / 60_000) * 60 - 37
const DATA_SECONDS = 2_000

/** One job's only target, as it was scraped; ages are seconds before now. */
interface Job {
  readonly everySeconds: number
  readonly newestAge?: number
  readonly oldestAge?: number
  readonly gap?: { readonly fromAge: number; readonly toAge: number }
  /** No longer a target since: its series ended, as a scraper says it. */
  readonly endedAtAge?: number
}

const CASES: readonly { readonly name: string; readonly jobs: readonly Job[]; readonly want: number | null }[] = [
  ...[1, 5, 15, 30, 45, 60, 120, 300].map((everySeconds) => ({
    name: `every ${everySeconds} s`,
    jobs: [{ everySeconds, newestAge: everySeconds / 3 }],
    want: everySeconds,
  })),
  { name: 'on whole minutes', jobs: [{ everySeconds: 15, newestAge: (AT_SECONDS % 60) % 15 }], want: 15 },
  { name: 'the slowest of several', jobs: [{ everySeconds: 60 }, { everySeconds: 15 }], want: 60 },
  ...[45, 300, 590].map((endedAtAge) => ({
    name: `a job ended ${endedAtAge} s ago`,
    jobs: [{ everySeconds: 15 }, { everySeconds: 15, newestAge: endedAtAge + 1, endedAtAge }],
    want: 15,
  })),
  ...[15, 30, 60].flatMap((everySeconds) =>
    [0, 20, 250, 500].map((toAge) => ({
      name: `every ${everySeconds} s, its Prometheus was away for 150 s until ${toAge} s ago`,
      jobs: [{ everySeconds, gap: { fromAge: toAge + 150, toAge } }],
      want: everySeconds,
    })),
  ),
  {
    name: 'away for as long as is looked back, until just now',
    jobs: [{ everySeconds: 15, gap: { fromAge: 575, toAge: 40 } }],
    want: 15,
  },
  { name: 'silent for three minutes', jobs: [{ everySeconds: 15, newestAge: 180 }], want: 15 },
  { name: 'silent for ten minutes', jobs: [{ everySeconds: 15, newestAge: 600 }], want: null },
  { name: 'scraped for the first time', jobs: [{ everySeconds: 15, oldestAge: 5, newestAge: 5 }], want: null },
  {
    name: 'a job that has just begun beside an old one',
    jobs: [{ everySeconds: 15 }, { everySeconds: 15, oldestAge: 125 }],
    want: 15,
  },
  { name: 'nothing is scraped', jobs: [], want: null },
]

function seriesOf(scenario: string, job: Job, index: number): TimeSeries {
  const { everySeconds, newestAge = 3, oldestAge = DATA_SECONDS, gap, endedAtAge } = job
  const ages = Array.from({ length: Math.ceil(DATA_SECONDS / everySeconds) }, (_, k) => newestAge + k * everySeconds)
  const kept = ages.filter((age) => age <= oldestAge && (gap === undefined || age > gap.fromAge || age < gap.toAge))
  const samples = kept.reverse().map((age) => ({ atMs: Math.round((AT_SECONDS - age) * 1_000), value: 1 }))
  return {
    labels: { __name__: 'up', job: `job-${index}`, instance: 'a', scenario },
    samples:
      endedAtAge === undefined ? samples : [...samples, { atMs: (AT_SECONDS - endedAtAge) * 1_000, value: STALE }],
  }
}

const SERIES = CASES.flatMap(({ name, jobs }) => jobs.map((job, index) => seriesOf(name, job, index)))

const found = findEngines(process.env)

// engines.test.ts says what is missing, and fails where it must not be.
if (!('missing' in found)) describe('the scrape interval, as the samples show it', () => suite(found))
else test('needs Prometheus 3 and Thanos (npm run setup:engines)', () => undefined)

function suite({ prometheus2, victoriaMetrics, ...engines }: Engines): void {
  const plain = (binary: string) => async () => {
    const real: RealPrometheus = await startPrometheus(binary, 'global: {}\n')
    await remoteWrite(real.url, SERIES)
    return real
  }
  const thanos = (engine: string) => async () => {
    const one = { cluster: 'east', replica: 'a', binary: engines.prometheus3, scrapes: '  []' }
    const args = ['--query.replica-label=replica', `--query.promql-engine=${engine}`]
    const fleet: Fleet = await startFleet({ prometheus2, victoriaMetrics, ...engines }, [one], args)
    await remoteWrite(fleet.prometheus.get('east/a') ?? '', SERIES)
    return { url: fleet.thanosUrl, close: () => fleet.close() }
  }
  const victoria = (binary: string) => async () => {
    const server: Victoria = await startVictoria(binary)
    await writeInto(server.url, SERIES)
    return server
  }
  const servers: Readonly<Record<string, () => Promise<{ readonly url: string; close(): Promise<void> }>>> = {
    'Prometheus 3': plain(engines.prometheus3),
    ...(prometheus2 === null ? {} : { 'Prometheus 2': plain(prometheus2) }),
    'Thanos, with the engine of Prometheus': thanos('prometheus'),
    'Thanos, with its own engine': thanos('thanos'),
    ...(victoriaMetrics === null ? {} : { VictoriaMetrics: victoria(victoriaMetrics) }),
  }

  describe.each(Object.entries(servers))('%s', (_, start) => {
    let server: Awaited<ReturnType<typeof start>>
    let client: ClusterPrometheus
    beforeAll(async () => {
      server = await start()
      client = clientOf('many', [server.url])
    })
    afterAll(async () => {
      await client?.close()
      await server?.close()
    })

    test.each(CASES)('$name: $want s', async ({ name, want }) => {
      const untold = { ...client, scrapeIntervalSeconds: async () => null }
      const matcher = { label: 'scenario', op: '=', value: name } as const
      const one = oneOfMany(untold, { matcher, absence: () => null, confirmedAbsence: async () => null })
      const paced = withScrapeInterval(one, null, () => AT_SECONDS)
      expect(await paced.scrapeIntervalSeconds(AbortSignal.timeout(30_000))).toBe(want)
    })
  })
}
