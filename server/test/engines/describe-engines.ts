import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERCENTILES, readGolden } from '../../src/domain/golden.ts'
import type { Observation } from '../../src/domain/observation.ts'
import { NO_FLOW, type Traffic } from '../../src/domain/traffic.ts'
import { AlertReader } from '../../src/federation/alert-reader.ts'
import { compare } from './compare.ts'
import { describeDrawn } from './describe-drawn.ts'
import type { Engines } from './find-engines.ts'
import { callsOf, clientOf, inboundOf, merged, numbersOf, observe } from './ours.ts'
import { type RealFleet, startRealFleet, untilScraped, WINDOW_SECONDS } from './real-fleet.ts'
import { askDirectly, goldenOf, INBOUND, WORKLOAD } from './theirs.ts'
import type { World } from './world.ts'

const PERCENTILE_NAMES = PERCENTILES.map(({ name }) => name)
const NO_GOLDEN = readGolden(NO_FLOW, { windowSeconds: 60, seen: true, stale: false }).golden

const SIDES = [
  { side: 'inbound', flowsOf: inboundOf },
  { side: 'calls', flowsOf: callsOf },
] as const

export function describeEngines(engines: Engines): void {
  describe('our numbers against real engines', () => {
    let fleet: RealFleet
    const now = Date.now() / 1_000
    const latest = () => fleet.instants.at(-1) ?? 0
    const asked = (url: string, atSeconds: number, windowSeconds = WINDOW_SECONDS) => ({
      url,
      atSeconds,
      windowSeconds,
    })
    const mergedAt = async (atSeconds: number, flowsOf: (one: Observation) => Map<string, Traffic>) =>
      merged((await fleet.observeAll(atSeconds)).map(flowsOf), WINDOW_SECONDS)
    const clusters = ['east', 'west', ...(engines.prometheus2 === null ? [] : ['north'])]

    beforeAll(async () => {
      fleet = await startRealFleet(engines, now)
    })
    afterAll(() => fleet?.close())

    test('the worlds hold what they are drawn for', async () => {
      for (const drawn of fleet.worlds.values()) {
        const total = (name: keyof World['met']) => drawn.reduce((sum, { met }) => sum + met[name], 0)
        for (const name of ['resets', 'idle', 'ended'] as const) expect(total(name), name).toBeGreaterThan(5)
        expect(total('calls')).toBeGreaterThan(150)
      }
      const resets = 'count(resets(response_total[60s]) > 0)'
      for (const url of fleet.urls.values()) {
        const [found] = await askDirectly(url, resets, latest())
        expect(found?.value).toBeGreaterThan(10)
      }
    })

    describe.each(SIDES)('$side', ({ side, flowsOf }) => {
      test.each(clusters)('%s alone, as its own Prometheus computes it', async (cluster) => {
        const client = fleet.clients.get(cluster)
        if (client === undefined) throw new Error(`no client for ${cluster}`)
        const observation = await observe(cluster, client, latest(), WINDOW_SECONDS)
        const theirs = await goldenOf(asked(fleet.urls.get(cluster) ?? '', latest()), side)
        const result = compare(merged([flowsOf(observation)], WINDOW_SECONDS), theirs)
        expect(result.differences).toEqual([])
        expect(result.compared - result.unknown).toBeGreaterThan(150)
      })

      test.each(clusters)('%s alone, as Thanos Query computes it', async (cluster) => {
        const client = fleet.clients.get(cluster)
        if (client === undefined) throw new Error(`no client for ${cluster}`)
        const observation = await observe(cluster, client, latest(), WINDOW_SECONDS)
        const theirs = await goldenOf(asked(fleet.thanosUrl, latest()), side, `cluster="${cluster}"`)
        const result = compare(merged([flowsOf(observation)], WINDOW_SECONDS), theirs)
        expect(result.differences).toEqual([])
        expect(result.compared - result.unknown).toBeGreaterThan(150)
      })

      test.each([0, 1, 2])('merged over all clusters, as Thanos Query computes it, instant %d', async (index) => {
        const atSeconds = fleet.instants[index] ?? 0
        const ours = await mergedAt(atSeconds, flowsOf)
        const result = compare(ours, await goldenOf(asked(fleet.thanosUrl, atSeconds), side))
        expect(result.differences).toEqual([])
        expect(result.compared - result.unknown).toBeGreaterThan(500)
        expect(result.ties).toBeLessThan(result.compared / 100)
      })

      test('Thanos Query read by us gives what merging its clusters gives', async () => {
        const through = await observe('thanos', fleet.thanos, latest(), WINDOW_SECONDS)
        const ours = await mergedAt(latest(), flowsOf)
        const theirs = new Map(
          [...merged([flowsOf(through)], WINDOW_SECONDS)].map(([key, one]) => [
            key,
            new Map([...numbersOf(one)].map(([name, value]) => [name, value ?? Number.NaN])),
          ]),
        )
        expect(compare(ours, theirs).differences).toEqual([])
      })

      test('an instant before everything: nothing, and no failure', async () => {
        const before = latest() - 7_200
        expect((await mergedAt(before, flowsOf)).size).toBe(0)
        expect((await goldenOf(asked(fleet.thanosUrl, before), side)).size).toBe(0)
      })
    })

    describeDrawn(() => fleet)

    test('a second replica is one cluster still, with either of them gone', async () => {
      const requests = `sum by (${WORKLOAD.join(',')}) (rate(response_total{${INBOUND},cluster="east"}[60s]))`
      const total = async (more: Record<string, string>) =>
        (await askDirectly(fleet.thanosUrl, `sum(${requests})`, latest(), more))[0]?.value ?? 0
      const [once, twice] = [await total({}), await total({ dedup: 'false' })]
      expect(twice / once).toBeCloseTo(2, 1)
      const gone = clientOf('east', ['http://127.0.0.1:1', fleet.urls.get('east') ?? ''])
      const observation = await observe('east', gone, latest(), WINDOW_SECONDS).finally(() => gone.close())
      const theirs = await goldenOf(asked(fleet.thanosUrl, latest()), 'inbound', 'cluster="east"')
      expect(compare(merged([inboundOf(observation)], WINDOW_SECONDS), theirs).differences).toEqual([])
    })

    test('no traffic is a rate of zero and no latency; what ended has no pods', async () => {
      const [east] = await fleet.observeAll(latest())
      if (east === undefined) throw new Error('east was not read')
      const read = merged([inboundOf(east)], WINDOW_SECONDS)
      const idle = read.get('odd/deployment/idle')
      expect(idle === undefined ? null : [...numbersOf(idle).values()]).toEqual([0, null, null, null, null, null, null])
      expect(read.get('odd/deployment/busy')?.golden.requestsPerSecond).toBeCloseTo(8, 9)
      expect(read.has('odd/deployment/ended')).toBe(false)
      const labels = WORKLOAD.join(',')
      const pods = `count by (${labels}) (count by (${labels},pod) (request_total{direction="inbound",cluster="east"}))`
      const theirs = await askDirectly(fleet.thanosUrl, pods, latest())
      expect([...east.pods.values()].map(([count]) => count).sort()).toEqual(theirs.map(({ value }) => value).sort())
    })

    test('Thanos Query without rules behind it tells of no alerts, and that is no gap', async () => {
      const alerts = new AlertReader({ cluster: 'thanos', api: fleet.thanos, matcher: null })
      await alerts.run(latest(), AbortSignal.timeout(30_000))
      expect({ gaps: alerts.gaps(), known: alerts.known(latest()) }).toEqual({
        gaps: [],
        known: { told: true, firing: [] },
      })
    })

    describe('a measured NaN or infinity', () => {
      const NAN_NUMBERS = {
        nanRequests: ['rps', 'success'],
        nanLatency: ['mean'],
        nanBuckets: PERCENTILE_NAMES,
        infRequests: ['rps', 'success'],
        infLatency: ['mean'],
        infBuckets: PERCENTILE_NAMES,
      }
      const names = Object.keys(NAN_NUMBERS) as (keyof typeof NAN_NUMBERS)[]
      const nanMerged = async (name: string) => {
        const flows = (await fleet.observeAll(fleet.nanAtSeconds)).map(inboundOf)
        const theirs = await goldenOf(asked(fleet.thanosUrl, fleet.nanAtSeconds), 'inbound', `deployment="${name}"`)
        expect(theirs.size).toBe(1)
        const ours = [...merged(flows, WINDOW_SECONDS)].filter(([key]) => key === `odd/deployment/${name}`)
        return compare(new Map(ours), theirs).differences
      }

      // Not held against histogram_quantile, which answers with the last finite bound where a bucket is NaN.
      test.each(names)('of one cluster is unknown, and never a number: %s', async (name) => {
        const [east] = await fleet.observeAll(fleet.nanAtSeconds)
        const read = east === undefined ? undefined : merged([inboundOf(east)], WINDOW_SECONDS)
        const numbers = numbersOf(read?.get(`odd/deployment/${name}`) ?? { golden: NO_GOLDEN, histogram: null })
        for (const unknown of NAN_NUMBERS[name]) expect(numbers.get(unknown), unknown).toBeNull()
        const truthOf = { rps: 'requestsPerSecond', success: 'successRatio' } as Readonly<Record<string, string>>
        const truths = new Map(Object.entries(read?.get(`odd/deployment/${name}`)?.truths ?? {}))
        for (const unknown of NAN_NUMBERS[name])
          expect(truths.get(truthOf[unknown] ?? unknown), unknown).toBe('neverSeen')
        expect(read?.get('odd/deployment/nanLatency')?.golden.requestsPerSecond).toBeCloseTo(8, 9)
      })

      test.each(['nanRequests', 'nanLatency'])(
        'does not spoil the other clusters, as with Thanos: %s',
        async (name) => {
          expect(await nanMerged(name)).toEqual([])
        },
      )

      // The mean has a count of its own: buckets that are lost must not weigh on it.
      test('of the buckets alone leaves the merged mean as it is', async () => {
        expect(await nanMerged('nanBuckets')).toEqual([])
      })
    })

    if (engines.prometheus2 !== null) {
      test('`le="1"` of Prometheus 2 and `le="1.0"` of Prometheus 3 are one bucket', async () => {
        const windowSeconds = 3
        const atSeconds = await untilScraped(fleet, windowSeconds)
        const first = 'group by (cluster, le) (response_latency_ms_bucket{namespace="scraped",le=~"1|1[.]0"})'
        const written = (await askDirectly(fleet.thanosUrl, first, atSeconds)).map(({ labels }) => labels)
        expect(written).toHaveLength(2)
        expect(written).toEqual(
          expect.arrayContaining([
            { cluster: 'north', le: '1' },
            { cluster: 'west', le: '1.0' },
          ]),
        )
        const read = await Promise.all(
          [...fleet.clients].map(([cluster, client]) => observe(cluster, client, atSeconds, windowSeconds)),
        )
        const only = (all: ReadonlyMap<string, Traffic>) =>
          new Map([...all].filter(([key]) => key === 'scraped/deployment/page'))
        const ours = merged(
          read.map((one) => only(inboundOf(one))),
          windowSeconds,
        )
        const theirs = await goldenOf(
          asked(fleet.thanosUrl, atSeconds, windowSeconds),
          'inbound',
          'namespace="scraped"',
        )
        expect(ours.get('scraped/deployment/page')?.histogram).toMatchObject({ upperBounds: { length: 23 } })
        const { differences, compared, unknown } = compare(ours, theirs)
        expect({ differences, compared, unknown }).toEqual({ differences: [], compared: 7, unknown: 0 })
      })
    }
  })
}
