import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Clusters, Fleet as FleetAnswer } from '../../src/contract/index.ts'
import { type AuthProxy, startAuthProxy } from '../support/auth-proxy.ts'
import { eventually } from '../support/eventually.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'
import { type Engines, findEngines } from './find-engines.ts'
import { type Fleet, type Restartable, startFleet } from './fleet.ts'
import { remoteWrite } from './remote-write.ts'
import { expectSame } from './same-fleet.ts'
import { drawWorld } from './world.ts'

const STEP_SECONDS = 10
const TOKEN = 'let-me-in'
const AT_MOST_MS = 300_000
/** For what takes long of itself: until last good values expire. */
const PATIENTLY = { timeoutMs: 170_000 }
const found = findEngines(process.env)

// engines.test.ts says what is missing, and fails where it must not be.
if (!('missing' in found)) describe('clusters found behind a real Thanos', { timeout: AT_MOST_MS }, () => suite(found))
else test('needs Prometheus 3 and Thanos (npm run setup:engines)', () => undefined)

function suite(engines: Engines): void {
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-discover-'))
  const startSeconds = Math.floor(Date.now() / 1_000 / STEP_SECONDS) * STEP_SECONDS - 240
  const atSeconds = startSeconds + 200.7
  const asStored = (bound: number) => (bound === Number.POSITIVE_INFINITY ? '+Inf' : bound.toFixed(1))
  const worldOf = (seed: number) =>
    drawWorld({ graphSeed: 7, seed, timeline: { startSeconds, stepSeconds: STEP_SECONDS, steps: 60 }, le: asStored })
      .series
  const seeds: Readonly<Record<string, number>> = { east: 1, west: 2, north: 3, south: 4 }
  let fleet: Fleet
  let proxy: AuthProxy

  const urlOf = (name: string) => fleet.prometheus.get(name) ?? ''
  const program = (name: string): Restartable => fleet.programs.get(name) ?? expect.fail(name)
  const discover = (more = '') =>
    `discover: [{ url: "${proxy.url}", bearerTokenFile: "${join(folder, 'token')}", replicaLabels: [replica]${more} }]`
  const listed = (...names: readonly string[]) =>
    `clusters: [${names.map((name) => `{ name: ${name}, endpoints: [{ url: "${urlOf(`${name}/a`)}" }${name === 'east' ? `, { url: "${urlOf('east/b')}" }` : ''}] }`).join(', ')}]`
  const goldseam = async (...lines: readonly string[]) => {
    const quick = 'refresh: 1s\nmaxLoad: 64\nlog: { level: silent }\nlimits: { queryTimeout: 4s, lastGoodFor: 60s }'
    return startGoldseam([quick, ...lines].join('\n'))
  }
  const fleetOf = async (one: StartedGoldseam, query = '') =>
    (await one.get(`/api/v1/fleet${query}`)).body as FleetAnswer
  const clustersOf = async (one: StartedGoldseam) => (await one.get('/api/v1/clusters')).body as Clusters
  const stateOf = ({ clusters }: Pick<FleetAnswer, 'clusters'>, name: string) =>
    clusters.find((cluster) => cluster.name === name) ?? expect.fail(`no ${name}`)
  const untilOk = async (one: StartedGoldseam, ...names: readonly string[]) =>
    eventually(async () => {
      const answer = await fleetOf(one)
      expect(answer.clusters.map(({ name, state }) => `${name} ${state}`).sort()).toEqual(
        names.map((name) => `${name} ok`),
      )
      return answer
    })
  const rows = (answer: FleetAnswer, cluster: string) => answer.workloads.filter((row) => row.cluster === cluster)

  beforeAll(async () => {
    writeFileSync(join(folder, 'token'), TOKEN)
    const binary = engines.prometheus3
    const wanted = [
      { cluster: 'east', replica: 'a', binary },
      { cluster: 'east', replica: 'b', binary },
      { cluster: 'west', replica: 'a', binary },
      { cluster: 'north', replica: 'a', binary: engines.prometheus2 ?? binary },
    ].map((one) => ({ ...one, scrapes: '  []' }))
    const alone = { cluster: 'south', replica: 'a', binary, scrapes: '  []' }
    fleet = await startFleet(engines, [...wanted, alone])
    await Promise.all(
      [...fleet.prometheus].map(([name, url]) => remoteWrite(url, worldOf(seeds[name.split('/')[0] ?? ''] ?? 0))),
    )
    proxy = await startAuthProxy(fleet.thanosUrl, TOKEN)
  })
  afterAll(async () => {
    await proxy?.close()
    await fleet?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('each has the numbers of its own Prometheus; replicas count once; a listed one stands beside them', async () => {
    const through = await goldseam(listed('south'), discover(', exclude: [south]'))
    const directly = await goldseam(listed('east', 'west', 'north', 'south'))
    const query = `?to=${atSeconds}&from=${atSeconds - 60}`
    const [one, other] = [await fleetOf(through, query), await fleetOf(directly, query)]
    expect(one.gaps).toEqual([])
    expect(one.clusters.map(({ name }) => name).sort()).toEqual(['east', 'north', 'south', 'west'])
    expectSame(one, other)
    expect(other.workloads.filter(({ now }) => (now.requestsPerSecond ?? 0) > 0).length).toBeGreaterThan(60)
    const { clusters } = await clustersOf(through)
    const places = clusters.map(({ name, discoveredAt, alsoAt }) => [name, discoveredAt, alsoAt])
    expect(places).toContainEqual(['west', proxy.url, []])
    expect(places).toContainEqual(['south', null, []])
    await Promise.all([through.close(), directly.close()])
  })

  describe('as they come and go', () => {
    let live: StartedGoldseam
    const untilAllOk = () => untilOk(live, 'east', 'north', 'south', 'west')

    beforeAll(async () => {
      live = await goldseam(listed('north', 'south'), discover())
      await untilAllOk()
    }, AT_MOST_MS)
    afterEach(() => program('west/a sidecar').resume())
    afterAll(() => live?.close())

    test('every question is for one cluster, and tells Thanos what to count once and to leave out', async () => {
      await fleetOf(live, '?cmp=1h')
      const questions = proxy.asked.filter(({ path }) => /query(_range)?$/.test(path))
      expect(questions.length).toBeGreaterThan(50)
      for (const { fields } of questions) {
        const promql = fields.get('query') ?? ''
        const selectors = promql.match(/\{/g)?.length ?? 0
        expect(promql.match(/\{cluster="(east|west|north|south)"/g)?.length ?? 0).toBe(selectors)
        expect(new Set(promql.match(/\{cluster="\w+"/g)).size).toBeLessThanOrEqual(1)
        expect(fields.getAll('replicaLabels[]')).toEqual(['replica'])
        const parameters = ['dedup', 'partial_response', 'max_source_resolution'].map((name) => fields.get(name))
        expect(parameters).toEqual(['true', 'true', '0s'])
      }
    })

    test('of two with one name the listed one is read, and it is said', async () => {
      const { gaps } = await fleetOf(live)
      const taken = gaps.filter(({ why }) => why === 'name taken')
      expect(taken.map(({ cluster }) => cluster).sort()).toEqual(['north', 'south'])
      for (const { cluster, detail } of taken)
        expect(detail).toContain(`${proxy.url} holds a cluster named ${cluster} too, which is not read`)
      const { clusters } = await clustersOf(live)
      expect(stateOf({ clusters }, 'north')).toMatchObject({ discoveredAt: null, alsoAt: [proxy.url] })
      expect(stateOf({ clusters }, 'east')).toMatchObject({ discoveredAt: proxy.url, alsoAt: [] })
    })

    test('a store hangs: only its own rows wait for it', async () => {
      program('west/a sidecar').pause()
      const onlyWestWaits = (answer: FleetAnswer) => {
        for (const other of ['east', 'north', 'south'])
          expect(stateOf(answer, other)).toMatchObject({ state: 'ok', ageSeconds: 0 })
        // The list of clusters would hang too if only the stores were asked for it.
        expect(answer.gaps.map(({ cluster }) => cluster)).not.toContain(new URL(proxy.url).host)
      }
      await eventually(async () => {
        const answer = await fleetOf(live)
        expect(stateOf(answer, 'west').state).toBe('stale')
        expect(rows(answer, 'west').length).toBeGreaterThan(10)
        onlyWestWaits(answer)
      })
      await eventually(async () => {
        const answer = await fleetOf(live)
        // Thanos drops it by itself after a while: then that is the cause.
        expect(stateOf(answer, 'west').reason).toMatch(/^timeout: no answer within 4 s|no longer holds cluster="west"/)
        onlyWestWaits(answer)
        const { clusters } = await clustersOf(live)
        for (const { name, endpoints } of clusters)
          if (name !== 'west') expect(endpoints[0]?.breaker.state, name).toBe('closed')
      })
      program('west/a sidecar').resume()
      await untilAllOk()
    })

    test('a sidecar dies: last good values, then down with its cause and since when, and back when it is', async () => {
      const before = rows(await untilAllOk(), 'west').length
      await program('west/a sidecar').close()
      await eventually(async () => {
        const answer = await fleetOf(live)
        // At first Thanos may still be losing the connection: what it says of it differs.
        const reason = expect.stringMatching(/^unreachable: .*store/)
        expect(stateOf(answer, 'west')).toMatchObject({ state: 'stale', reason })
        expect(rows(answer, 'west').length).toBe(before)
      })
      await eventually(async () => {
        const answer = await fleetOf(live)
        const gone = /no longer holds cluster="west": its store does not answer: .*connection refused/
        expect(stateOf(answer, 'west')).toMatchObject({ state: 'down', reason: expect.stringMatching(gone) })
        const [gap] = answer.gaps.filter(({ cluster }) => cluster === 'west')
        expect(Date.now() - Date.parse(gap?.since ?? '')).toBeGreaterThan(8_000)
        expect(stateOf(answer, 'east').state).toBe('ok')
        expect(answer.verdict.form).not.toBe('quiet')
      }, PATIENTLY)
      await program('west/a sidecar').restart()
      await untilAllOk()
    })
  })

  test('Thanos itself cannot be asked: a gap names it; it comes back with its clusters', async () => {
    await program('query').close()
    const one = await goldseam(listed('south'), discover(', exclude: [south, north]'))
    const answer = await fleetOf(one)
    expect(answer.clusters.map(({ name }) => name)).toEqual(['south'])
    expect(answer.gaps).toContainEqual(
      expect.objectContaining({
        cluster: new URL(proxy.url).host,
        what: 'list of clusters',
        why: 'unreachable',
        detail: expect.stringContaining(`${proxy.url} cannot be asked which clusters it holds: HTTP 502`),
      }),
    )
    // Drawn worlds may have somebody slow in them: whatever is said, it says what is missing.
    expect(answer.verdict.form).not.toBe('quiet')
    expect(answer.verdict.text).toContain(`hich clusters are behind ${proxy.url} is not known.`)
    await program('query').restart()
    await untilOk(one, 'east', 'south', 'west')
    await one.close()
  })

  test('a wrong token is a gap that says so', async () => {
    writeFileSync(join(folder, 'token'), 'another')
    const one = await goldseam(listed('south'), discover())
    const [gap] = (await fleetOf(one)).gaps
    // Not before: what is refused is read again.
    writeFileSync(join(folder, 'token'), TOKEN)
    expect(gap).toMatchObject({ why: 'unauthorized', detail: expect.stringContaining('check bearerTokenFile') })
    await one.close()
  })

  const versions = [engines.prometheus3, ...(engines.prometheus2 === null ? [] : [engines.prometheus2])]
  test.each(versions)('%s as an endpoint of many clusters, told apart by a label of their series', async (binary) => {
    const many = await startFleet(engines, [{ cluster: 'all', replica: 'a', binary, scrapes: '  []' }])
    try {
      const url = many.prometheus.get('all/a') ?? ''
      const labelled = (value: string, seed: number) =>
        worldOf(seed).map(({ labels, ...series }) => ({ ...series, labels: { ...labels, site: value } }))
      await remoteWrite(url, [...labelled('EU West', 2), ...labelled('eu-south', 4), ...labelled('bad/name', 5)])
      const rename = 'rename: { "EU West": west, eu-south: south }'
      const one = await goldseam(`discover: [{ url: "${url}", clusterLabel: site, ${rename} }]`)
      const directly = await goldseam(listed('west', 'south'))
      const query = `?to=${atSeconds}&from=${atSeconds - 60}`
      const [answer, other] = [await fleetOf(one, query), await fleetOf(directly, query)]
      expectSame(answer, other)
      expect(answer.workloads.length).toBeGreaterThan(40)
      expect(answer.gaps.map(({ detail }) => detail)).toEqual([expect.stringContaining('holds site="bad/name"')])
      await Promise.all([one.close(), directly.close()])
    } finally {
      await many.close()
    }
  })
}
