import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Fleet } from '../../src/contract/index.ts'
import { type Engines, findEngines } from '../engines/find-engines.ts'
import { eventually } from '../support/eventually.ts'
import { EDGE, REQUESTS_PER_SECOND, ROWS } from './pages.ts'
import { type RealChain, startRealChain } from './real-chain.ts'
import { isAbout, type Viewers, watchAs } from './viewers.ts'

const found = findEngines(process.env)
const VIEWERS = 20
/**
 * What a cluster was is written down when it falls silent, or when Goldseam is asked to end: whoever is killed in the
 * same moment as a cluster leaves what it is, without what is usual for it (README, known limits).
 */
const OF_THE_PAST = /, usual|, trend/

// engines.test.ts fails where the engines are expected and not here.
if (!('missing' in found)) describeRestarts(found)
else test('needs Prometheus 3 and Thanos (npm run setup:engines)', () => undefined)

function describeRestarts(engines: Engines): void {
  describe('a process killed and started again under load', () => {
    let chain: RealChain
    let viewers: Viewers
    const fleet = async () => (await (await fetch(`${chain.url}/api/v1/fleet`)).json()) as Fleet
    const states = async () => Object.fromEntries((await fleet()).clusters.map(({ name, state }) => [name, state]))
    const until = (wanted: Record<string, unknown>) => eventually(async () => expect(await states()).toEqual(wanted))
    const allGood = () => until({ near: 'ok', far: 'ok' })

    beforeAll(async () => {
      chain = await startRealChain(engines)
      await eventually(async () => {
        const { workloads } = await fleet()
        for (const id of ROWS) {
          const rate = workloads.find((row) => row.id === id)?.now.requestsPerSecond ?? null
          expect(isAbout(rate, REQUESTS_PER_SECOND)).toBe(true)
        }
      })
      viewers = watchAs(VIEWERS, chain.url, { rows: ROWS, requestsPerSecond: REQUESTS_PER_SECOND, edge: EDGE })
      // Nothing that was never there can be lost.
      await eventually(() => expect(viewers.unseen()).toEqual([]))
    })
    // What a test that failed left behind is not to fail the next.
    beforeEach(() => chain.restartAll())
    afterAll(async () => {
      await viewers?.leave()
      await chain?.close()
    })

    const VICTIMS = [
      { name: 'prometheus', cluster: 'near' },
      { name: 'query', cluster: 'far' },
      { name: 'sidecar', cluster: 'far' },
      { name: 'prometheus behind thanos', cluster: 'far' },
    ] as const

    test.each(VICTIMS)('$name: every viewer sees good rows, or the last good ones', async (victim) => {
      await allGood()
      viewers.forget()
      await chain.kill(victim.name)
      await until({ near: 'ok', far: 'ok', [victim.cluster]: 'stale' })
      await chain.restart(victim.name)
      await allGood()
      await expect.poll(() => viewers.seen().current).toBeGreaterThan(0)
      const { bad, lost, refused, stale } = viewers.seen()
      expect(bad).toEqual([])
      expect(lost).toEqual([])
      expect(refused.size).toBe(0)
      expect(stale).toBeGreaterThan(0)
    })

    test('goldseam: its viewers cannot connect for a moment, then see all as before', async () => {
      await allGood()
      viewers.forget()
      await chain.kill('goldseam')
      const { current } = viewers.seen()
      await chain.restart('goldseam')
      await allGood()
      await expect.poll(() => viewers.seen().refused.size).toBe(VIEWERS)
      await expect.poll(() => viewers.seen().current).toBeGreaterThan(current + 2 * VIEWERS)
      expect(viewers.seen().bad).toEqual([])
      expect(viewers.seen().lost).toEqual([])
    })

    const known = async (name: string) => {
      const { gaps, clusters } = await fleet()
      const since = gaps.find((gap) => gap.cluster === name && gap.what === 'everything')?.since
      return { since, dialects: clusters.find((cluster) => cluster.name === name)?.dialects }
    }
    /** Of each row whether what is usual is known, and a trend. */
    const past = async (name: string) => {
      const { workloads } = await fleet()
      return workloads
        .filter(({ cluster }) => cluster === name)
        .map(({ id, usual, trend }) => ({
          id,
          usual: usual.requestsPerSecond !== null && usual.latencySeconds.mean !== null,
          percentiles: usual.latencySeconds.p99 !== null,
          trend: trend.p99Seconds.some((point) => point !== null),
        }))
    }

    test.each(VICTIMS)(
      'goldseam while $name is down: the last good rows are there with their past, and since when',
      async (victim) => {
        await allGood()
        await chain.kill(victim.name)
        await until({ near: 'ok', far: 'ok', [victim.cluster]: 'stale' })
        const before = await known(victim.cluster)
        const pastBefore = await past(victim.cluster)
        // It is larger than the present, and written down right after it.
        await expect.poll(() => chain.kept().filter((one) => one === `past of ${victim.cluster}`)).toHaveLength(1)
        await chain.kill('goldseam')
        viewers.forget()
        await chain.restart('goldseam')
        await until({ near: 'ok', far: 'ok', [victim.cluster]: 'stale' })
        expect(before).toMatchObject({ since: expect.any(String), dialects: ['linkerd'] })
        expect(await known(victim.cluster)).toEqual(before)
        expect(pastBefore).toContainEqual(expect.objectContaining({ usual: true, trend: true }))
        expect(await past(victim.cluster)).toEqual(pastBefore)
        await expect.poll(() => viewers.seen().stale).toBeGreaterThan(VIEWERS)
        expect(viewers.seen().bad).toEqual([])
        expect(viewers.seen().lost).toEqual([])
        await chain.restart(victim.name)
        await allGood()
        expect(viewers.seen().bad).toEqual([])
        expect(viewers.seen().lost).toEqual([])
      },
    )

    test.each(['end', 'kill'] as const)(
      'goldseam and a prometheus at once (%s): the last good rows are there',
      async (how) => {
        await allGood()
        await expect.poll(() => chain.kept().filter((one) => one === 'last good values of near')).toHaveLength(1)
        await Promise.all([chain[how]('goldseam'), chain[how]('prometheus')])
        viewers.forget()
        await chain.restart('goldseam')
        await until({ near: 'stale', far: 'ok' })
        await expect.poll(() => viewers.seen().stale).toBeGreaterThan(VIEWERS)
        await chain.restart('prometheus')
        await allGood()
        expect(viewers.seen().bad).toEqual([])
        expect(viewers.seen().lost.filter((part) => how === 'end' || !OF_THE_PAST.test(part))).toEqual([])
      },
    )
  })
}
