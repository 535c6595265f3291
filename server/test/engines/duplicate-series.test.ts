import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClusterDetail, Fleet as FleetAnswer } from '../../src/contract/index.ts'
import { eventually } from '../support/eventually.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'
import { type Engines, findEngines } from './find-engines.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { clientOf } from './ours.ts'
import { remoteWrite } from './remote-write.ts'
import { expectSame } from './same-fleet.ts'
import { drawWorld } from './world.ts'

const STEP_SECONDS = 10
const found = findEngines(process.env)

// engines.test.ts says what is missing, and fails where it must not be.
if (!('missing' in found)) describe('series that are there twice', () => suite(found))
else test('needs Prometheus 3 and Thanos (npm run setup:engines)', () => undefined)

function suite(engines: Engines): void {
  const startSeconds = Math.floor(Date.now() / 1_000 / STEP_SECONDS) * STEP_SECONDS - 240
  const atSeconds = startSeconds + 200.7
  const asStored = (bound: number) => (bound === Number.POSITIVE_INFINITY ? '+Inf' : bound.toFixed(1))
  const timeline = { startSeconds, stepSeconds: STEP_SECONDS, steps: 40 }
  const { series } = drawWorld({ graphSeed: 7, seed: 1, timeline, le: asStored })
  let fleet: Fleet
  /** Asks one of the replicas, and nobody else. */
  let directly: FleetAnswer

  const opened = async <T>(line: string, look: (one: StartedGoldseam) => Promise<T>) => {
    const one = await startGoldseam(`refresh: 1s\nmaxLoad: 64\nlog: { level: silent }\n${line}`)
    return look(one).finally(() => one.close())
  }
  const fleetOf = async (one: StartedGoldseam) =>
    (await one.get(`/api/v1/fleet?to=${atSeconds}&from=${atSeconds - 60}`)).body as FleetAnswer
  const discover = (more: string) => `discover: [{ url: "${fleet.thanosUrl}"${more} }]`

  beforeAll(async () => {
    const replicas = ['a', 'b'].map((replica) => ({
      cluster: 'east',
      replica,
      binary: engines.prometheus3,
      scrapes: '  []',
    }))
    fleet = await startFleet(engines, replicas)
    await Promise.all([...fleet.prometheus.values()].map((url) => remoteWrite(url, series)))
    directly = await opened(
      `clusters: [{ name: east, endpoints: [{ url: "${fleet.prometheus.get('east/a')}" }] }]`,
      fleetOf,
    )
    expect(directly.workloads.filter(({ now }) => (now.requestsPerSecond ?? 0) > 0).length).toBeGreaterThan(20)
  })
  afterAll(() => fleet?.close())

  test.each([
    { who: 'Goldseam names the label', more: ', replicaLabels: [replica]' },
    { who: 'Thanos Query knows it itself', more: '' },
  ])('of two replicas count once where $who', async ({ more }) => {
    const through = await opened(discover(more), fleetOf)
    expect(through.gaps).toEqual([])
    expectSame(through, directly)
  })

  test('of two replicas count twice where that was asked for: `dedup: false` says so among the settings', async () => {
    const [through, { settings }] = await opened(discover(', replicaLabels: [replica], dedup: false'), async (one) => [
      await fleetOf(one),
      (await one.get('/api/v1/clusters/east')).body as ClusterDetail,
    ])
    expect(settings).toContainEqual({ name: 'dedup', value: 'false' })
    const once = new Map(directly.workloads.map((row) => [row.id, row]))
    expect(through.workloads.map(({ id }) => id).sort()).toEqual([...once.keys()].sort())
    for (const { id, now } of through.workloads) {
      const one = once.get(id)?.now
      expect(now.requestsPerSecond, id).toBeCloseTo(2 * (one?.requestsPerSecond ?? Number.NaN), 6)
      // Ratios and means are those of either.
      if (one?.successRatio === null) expect(now.successRatio).toBeNull()
      else expect(now.successRatio, id).toBeCloseTo(one?.successRatio ?? Number.NaN, 9)
    }
  })

  test('of two replicas that nobody named count twice, and that is said, until somebody does', async () => {
    // Nothing listens there: `up` tells of the target all the same.
    const scrapes = "  - { job_name: meshed, static_configs: [{ targets: ['127.0.0.1:9'] }] }"
    const replicas = ['a', 'b'].map((replica) => ({ cluster: 'east', replica, binary: engines.prometheus3, scrapes }))
    const unnamed = await startFleet(engines, replicas, [])
    const gapsWith = (more: string) =>
      opened(`discover: [{ url: "${unnamed.thanosUrl}"${more} }]`, async (one) => {
        await eventually(async () => expect(await namesIn(one)).toEqual(['east']))
        // Once more: what is said of a look is said with the next snapshot.
        await one.get('/api/v1/fleet')
        return (await gapsIn(one)).filter(({ why }) => why === 'counted more than once')
      })
    try {
      await eventually(async () => expect(await targetsOf(unnamed.thanosUrl)).toBe(2))
      const [gap, ...others] = await gapsWith('')
      expect(others).toEqual([])
      expect(gap).toMatchObject({ cluster: new URL(unnamed.thanosUrl).host, what: 'replicas as one' })
      expect(gap?.detail).toBe(
        `${unnamed.thanosUrl} counts each replica of east: the same targets are there with several; name it in replicaLabels, or to Thanos Query itself (--query.replica-label=replica)`,
      )
      expect(await gapsWith(', replicaLabels: [replica]')).toEqual([])
      expect(await gapsWith(', dedup: false')).toEqual([])
    } finally {
      await unnamed.close()
    }
  })

  test('by the words of a query are refused by Prometheus, and its words are handed on', async () => {
    const url = fleet.prometheus.get('east/a') ?? ''
    const alike = 'label_replace(request_total, "pod", "", "pod", ".*")'
    const words = 'vector cannot contain metrics with the same labelset'
    const client = clientOf('east', [url])
    const refused = client.query(alike, atSeconds, AbortSignal.timeout(30_000)).finally(() => client.close())
    await expect(refused).rejects.toMatchObject({ kind: 'rejected', message: expect.stringContaining(words) })
    const query = new URLSearchParams({ query: alike, time: String(atSeconds) })
    const told = await opened(`clusters: [{ name: east, endpoints: [{ url: "${url}" }] }]`, (one) =>
      one.get(`/prometheus/api/v1/query?${query}`),
    )
    expect(told).toMatchObject({ status: 422, body: { errorType: 'execution', error: expect.stringContaining(words) } })
  })
}

async function gapsIn(one: StartedGoldseam): Promise<FleetAnswer['gaps']> {
  return ((await one.get('/api/v1/fleet')).body as FleetAnswer).gaps
}

async function namesIn(one: StartedGoldseam): Promise<string[]> {
  return ((await one.get('/api/v1/fleet')).body as FleetAnswer).clusters.map(({ name }) => name)
}

/** How many series of scrape targets a server tells. */
async function targetsOf(url: string): Promise<number> {
  const answer = (await (await fetch(`${url}/api/v1/query?query=up`)).json()) as { data: { result: unknown[] } }
  return answer.data.result.length
}
