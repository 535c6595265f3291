import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../scripts/free-ports.mjs'
import type { Fleet as FleetAnswer } from '../../src/contract/index.ts'
import { containersOf, manifestsIn } from '../deploy/manifests.ts'
import { eventually } from '../support/eventually.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'
import { type Engines, findEngines } from './find-engines.ts'
import { type Fleet, type Restartable, startFleet } from './fleet.ts'
import { type Program, startProgram } from './program.ts'
import { remoteWrite } from './remote-write.ts'
import { expectSame } from './same-fleet.ts'
import { drawWorld } from './world.ts'

const STEP_SECONDS = 10
/** Long enough that a response cache would take part: it passes over less than five minutes, and the last one. */
const PAST_SECONDS = 600
/** For what takes long of itself: until last good values expire, until Thanos looks again. */
const PATIENTLY = { timeoutMs: 170_000 }
const found = findEngines(process.env)

// engines.test.ts says what is missing, and fails where it must not be.
if (!('missing' in found)) describe('clusters found behind a Query Frontend', { timeout: 300_000 }, () => suite(found))
else test('needs Prometheus 3 and Thanos (npm run setup:engines)', () => undefined)

function suite(engines: Engines): void {
  const startSeconds = Math.floor(Date.now() / 1_000 / STEP_SECONDS) * STEP_SECONDS - PAST_SECONDS
  const asStored = (bound: number) => (bound === Number.POSITIVE_INFINITY ? '+Inf' : bound.toFixed(1))
  const seeds: Readonly<Record<string, number>> = { east: 1, west: 2 }
  const worldOf = (cluster = '') =>
    drawWorld({
      graphSeed: 7,
      seed: seeds[cluster] ?? 0,
      // Beyond the end of the tests: what they look at is there all the time.
      timeline: { startSeconds, stepSeconds: STEP_SECONDS, steps: 2 * (PAST_SECONDS / STEP_SECONDS) },
      le: asStored,
    }).series
  let fleet: Fleet
  let frontend: Program
  let url = ''
  let live: StartedGoldseam

  const program = (name: string): Restartable => fleet.programs.get(name) ?? expect.fail(name)
  const goldseam = (line: string) =>
    startGoldseam(
      `refresh: 1s\nmaxLoad: 64\nlog: { level: silent }\nlimits: { queryTimeout: 4s, lastGoodFor: 60s }\n${line}`,
    )
  const fleetOf = async (one: StartedGoldseam, query = '') =>
    (await one.get(`/api/v1/fleet${query}`)).body as FleetAnswer
  const stateOf = ({ clusters }: FleetAnswer, name: string) =>
    clusters.find((cluster) => cluster.name === name) ?? expect.fail(`no ${name}`)
  const rows = (answer: FleetAnswer, cluster: string) => answer.workloads.filter((row) => row.cluster === cluster)
  const untilOk = () =>
    eventually(async () => {
      const answer = await fleetOf(live)
      expect(answer.clusters.map(({ name, state }) => `${name} ${state}`).sort()).toEqual(['east ok', 'west ok'])
      expect(answer.gaps).toEqual([])
      return answer
    })

  beforeAll(async () => {
    const wanted = ['east/a', 'east/b', 'west/a'].map((name) => {
      const [cluster = '', replica = ''] = name.split('/')
      return { cluster, replica, binary: engines.prometheus3, scrapes: '  []' }
    })
    fleet = await startFleet(engines, wanted)
    await Promise.all([...fleet.prometheus].map(([name, one]) => remoteWrite(one, worldOf(name.split('/')[0]))))
    const address = `127.0.0.1:${await freePort()}`
    url = `http://${address}`
    frontend = await startProgram(engines.thanos, shippedFlags(address, fleet.thanosUrl), `${url}/-/ready`)
    live = await goldseam(`discover: [{ url: "${url}", replicaLabels: [replica] }]`)
  })
  afterAll(async () => {
    await live?.close()
    await frontend?.close()
    await fleet?.close()
  })

  test('each has the numbers of its own Prometheus; replicas count once', async () => {
    const listed = ['east', 'west'].map(
      (name) => `{ name: ${name}, endpoints: [{ url: "${fleet.prometheus.get(`${name}/a`)}" }] }`,
    )
    const directly = await goldseam(`clusters: [${listed}]`)
    const toSeconds = startSeconds + PAST_SECONDS - 40 + 0.7
    const query = `?to=${toSeconds}&from=${toSeconds - 60}`
    const [one, other] = [await fleetOf(live, query), await fleetOf(directly, query)]
    await directly.close()
    expect(one.gaps).toEqual([])
    expect(one.clusters.map(({ name }) => name).sort()).toEqual(['east', 'west'])
    expectSame(one, other)
    expect(other.workloads.filter(({ now }) => (now.requestsPerSecond ?? 0) > 0).length).toBeGreaterThan(40)
  })

  test('a range has the instants that were asked for, whatever was asked before', async () => {
    for (const shift of [0, 7, 3, 11]) {
      const range = new URLSearchParams({
        query: 'sum by (cluster) (rate(response_total[60s]))',
        start: String(startSeconds + 60 + shift),
        end: String(startSeconds + PAST_SECONDS + shift),
        step: '15',
      })
      const [read, told] = await Promise.all(
        [`${live.url}/prometheus`, fleet.thanosUrl].map((one) => matrix(one, range)),
      )
      expect([...(told?.keys() ?? [])].sort()).toEqual(['east', 'west'])
      for (const [cluster, values = []] of told ?? []) {
        const ours = read?.get(cluster) ?? []
        expect(ours.map(([at]) => at)).toEqual(values.map(([at]) => at))
        for (const [index, [, value]] of values.entries())
          expect(Number(ours[index]?.[1]) / Number(value)).toBeCloseTo(1, 9)
      }
    }
  })

  test('a replica goes: what Thanos warns of is a gap of its cluster, which has its rows still', async () => {
    const before = rows(await untilOk(), 'east').length
    // Thanos looks every five seconds and warns of nobody from then on: again, where nothing was asked until it did.
    await eventually(async () => {
      await program('east/b sidecar').restart()
      await untilOk()
      await program('east/b sidecar').close()
      await eventually(
        async () => {
          const answer = await fleetOf(live)
          const detail = expect.stringMatching(/^its store \S+ does not answer: .*connection refused/)
          expect(answer.gaps).toContainEqual(expect.objectContaining({ cluster: 'east', detail }))
          expect(answer.gaps.map(({ cluster }) => cluster)).not.toContain('west')
          expect(stateOf(answer, 'west').state).toBe('ok')
          // The other replica tells of everything.
          expect(stateOf(answer, 'east').state).toBe('partial')
          expect(rows(answer, 'east').length).toBe(before)
        },
        { timeoutMs: 10_000, intervalMs: 100 },
      )
    }, PATIENTLY)
    await untilOk()
    await program('east/b sidecar').restart()
  })

  test('the only sidecar of a cluster dies: last good values, then down with its cause, and back when it is', async () => {
    const before = rows(await untilOk(), 'west').length
    await program('west/a sidecar').close()
    await eventually(async () => {
      const answer = await fleetOf(live)
      const reason = expect.stringMatching(/^unreachable: .*store/)
      expect(stateOf(answer, 'west')).toMatchObject({ state: 'stale', reason })
      expect(rows(answer, 'west').length).toBe(before)
    })
    await eventually(async () => {
      const answer = await fleetOf(live)
      const gone = /no longer holds cluster="west": its store does not answer: .*connection refused/
      expect(stateOf(answer, 'west')).toMatchObject({ state: 'down', reason: expect.stringMatching(gone) })
      expect(answer.gaps.map(({ cluster }) => cluster)).toEqual(['west'])
      expect(stateOf(answer, 'east').state).toBe('ok')
    }, PATIENTLY)
    await program('west/a sidecar').restart()
    await untilOk()
  })

  test('nothing answers behind it: a gap names the frontend, and each cluster what it says', async () => {
    await untilOk()
    await program('query').close()
    await eventually(async () => {
      const { gaps } = await fleetOf(live)
      const [list] = gaps.filter(({ what }) => what === 'list of clusters')
      expect(list).toMatchObject({ cluster: new URL(url).host })
      expect(list?.detail).toContain(`${url} cannot be asked which clusters it holds: `)
      const everything = gaps.filter(({ what }) => what === 'everything')
      expect(everything.map(({ cluster }) => cluster).sort()).toEqual(['east', 'west'])
    })
    await program('query').restart()
    await untilOk()
  })
}

/** The arguments of `deploy/thanos/query.yaml`, at another address and before another Thanos Query. */
function shippedFlags(address: string, downstreamUrl: string): readonly string[] {
  const [container] = manifestsIn('thanos')
    .filter(({ metadata }) => metadata.name === 'thanos-query-frontend')
    .flatMap((manifest) => containersOf(manifest))
  const own: Readonly<Record<string, string>> = {
    '--http-address': address,
    '--query-frontend.downstream-url': downstreamUrl,
  }
  const args = container?.args ?? expect.fail('no frontend')
  for (const flag of Object.keys(own)) expect(args.join(' ')).toContain(`${flag}=`)
  return args.map((arg) => {
    const [flag = ''] = arg.split('=')
    return own[flag] === undefined ? arg : `${flag}=${own[flag]}`
  })
}

type Point = readonly [at: number, value: string]

/** The values of each cluster. */
async function matrix(base: string, range: URLSearchParams): Promise<ReadonlyMap<string, readonly Point[]>> {
  const answer = (await (await fetch(`${base}/api/v1/query_range?${range}`)).json()) as {
    data: { result: { metric: { cluster: string }; values: Point[] }[] }
  }
  return new Map(answer.data.result.map(({ metric, values }) => [metric.cluster, values]))
}
