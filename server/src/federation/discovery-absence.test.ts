import { describe, expect, test } from 'vitest'
import { within } from '../dialects/promql.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { Discovery } from './discovery.ts'
import { NOT_KEPT } from './kept.ts'
import { oneOfMany } from './one-of-many.ts'

const signal = new AbortController().signal
const START_SECONDS = 1_000_000
const UP = 'count by (cluster) (up{cluster!=""})'
const RATES = 'sum(rate(requests_total{}[60s]))'
const STAYS = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
const NEVER = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY }

interface Life {
  /** Between which instants (unix seconds) it has targets, and requests. */
  readonly targets: { readonly from: number; readonly to: number }
  readonly requests: { readonly from: number; readonly to: number }
}

const ALIVE: Life = { targets: STAYS, requests: STAYS }

/** An endpoint into which clusters write, whose label values stay; each of them as the server asks it. */
function endpoint(lives: Readonly<Record<string, Life>>) {
  const world = {
    nowSeconds: START_SECONDS,
    lives,
    /** What `/api/v1/stores` tells; null: no Thanos. */
    stores: null as object | null,
    refusesTargets: false,
    warnings: [] as readonly string[],
    asked: [] as string[],
  }
  const isDuring = ({ from, to }: Life['targets'], atSeconds: number) => from <= atSeconds && atSeconds < to
  const sample = (labels: Readonly<Record<string, string>>) => ({ labels, apart: {}, value: 1, values: [1] })
  const matchedBy = (promql: string) => Object.keys(world.lives).find((name) => promql.includes(`cluster="${name}"`))
  const api = {
    labelValues: async () => ({ data: Object.keys(world.lives), warnings: [] }),
    async query(promql: string, atSeconds: number) {
      world.asked.push(promql)
      if (promql === UP) {
        if (world.refusesTargets) throw new UpstreamError('rejected', 'too many samples')
        const scraped = Object.entries(world.lives).filter(([, { targets }]) => isDuring(targets, atSeconds))
        return { data: scraped.map(([cluster]) => sample({ cluster })), warnings: world.warnings }
      }
      const life = world.lives[matchedBy(promql) ?? '']
      if (life === undefined) return { data: [sample({})], warnings: [] }
      const found = promql.includes('requests_total') && isDuring(life.requests, atSeconds)
      return { data: found ? [sample({ service: 'web' })] : [], warnings: [] }
    },
    async forward({ path }: { readonly path: string }) {
      if (path !== '/api/v1/stores') return { state: 'answered', data: [{}], warnings: [], infos: [], bytes: 2 }
      if (world.stores === null) throw new UpstreamError('malformed', 'HTTP 404')
      return { state: 'answered', data: world.stores, warnings: [], infos: [], bytes: 1 }
    },
  } as unknown as PrometheusApi
  const discovery = new Discovery({
    url: 'http://store:9090',
    api,
    clusterLabel: 'cluster',
    replicaLabels: [],
    dedup: true,
    include: [],
    exclude: [],
    rename: {},
    refreshSeconds: 10,
    forgetAfterSeconds: 86_400,
    maxClusters: 100,
    kept: NOT_KEPT,
    clock: () => world.nowSeconds,
  })
  const members = new Map<string, PrometheusApi>()
  const memberOf = (value: string) => {
    const found = discovery.found().find((one) => one.value === value) ?? expect.fail(`no ${value}`)
    const { absence, confirmedAbsence } = found
    const made = oneOfMany(api, { matcher: { label: 'cluster', op: '=', value }, absence, confirmedAbsence })
    if (!members.has(value)) members.set(value, made)
    return members.get(value) ?? made
  }
  return {
    world,
    discovery,
    memberOf,
    async after(seconds: number, change: Partial<typeof world> = {}) {
      Object.assign(world, change, { nowSeconds: world.nowSeconds + seconds })
      await discovery.refresh(signal)
    },
    /** How many series it answers with, else why it does not. */
    ask: (value: string, promql = RATES, atSeconds = world.nowSeconds): Promise<number | string> =>
      memberOf(value)
        .query(promql, atSeconds, signal)
        .then(
          ({ data }) => data.length,
          ({ message }: UpstreamError) => message,
        ),
    targetsAsked: () => world.asked.filter((promql) => promql === UP).length,
  }
}

const died = (atSeconds: number): Life => ({
  targets: { from: Number.NEGATIVE_INFINITY, to: atSeconds },
  requests: { from: Number.NEGATIVE_INFINITY, to: atSeconds },
})
const UNSCRAPED = /^http:\/\/store:9090 no longer holds cluster="west": no target of it is scraped any more/

describe('a cluster that ends while the store of all keeps its label', () => {
  test('is absent once it has no targets, is asked anew with each look, and is there again when it is back', async () => {
    const { world, discovery, after, ask } = endpoint({ east: ALIVE, west: ALIVE })
    await after(0)
    expect([await ask('east'), await ask('west')]).toEqual([1, 1])
    await after(400, { lives: { east: ALIVE, west: died(START_SECONDS + 50) } })
    expect(await ask('west')).toMatch(UNSCRAPED)
    expect(discovery.found().map(({ absence }) => absence()?.kind ?? 'there')).toEqual(['there', 'unreachable'])
    expect([await ask('west', 'vector(1)'), await ask('east')]).toEqual([expect.stringMatching(UNSCRAPED), 1])
    await after(10)
    expect(await ask('west')).toMatch(UNSCRAPED)
    await after(10, { lives: { east: ALIVE, west: ALIVE } })
    expect([await ask('west'), await ask('west', 'nothing{}')]).toEqual([1, 0])
    expect(world.asked.filter((promql) => promql === within(RATES, [west])).length).toBe(4)
  })

  test('costs one question now and then, whoever was answered with nothing', async () => {
    const lives = { east: died(START_SECONDS - 500), north: died(START_SECONDS - 500), west: died(START_SECONDS - 500) }
    const { after, ask, targetsAsked } = endpoint(lives)
    await after(0)
    const questions = ['east', 'north', 'west'].flatMap((one) => [ask(one), ask(one, 'other{}'), ask(one, 'third{}')])
    expect((await Promise.all(questions)).every((answer) => /no target of it/.test(`${answer}`))).toBe(true)
    // Now, and four times of before.
    expect(targetsAsked()).toBe(5)
    await after(10)
    expect(await ask('west')).toMatch(UNSCRAPED)
    expect(targetsAsked()).toBe(5)
    await after(30)
    expect(await ask('west')).toMatch(UNSCRAPED)
    expect(targetsAsked()).toBe(6)
  })

  test('stays absent while the endpoint refuses to count targets', async () => {
    const { after, ask } = endpoint({ west: died(START_SECONDS - 500) })
    await after(0)
    expect(await ask('west')).toMatch(UNSCRAPED)
    await after(100, { refusesTargets: true })
    expect(await ask('west')).toMatch(UNSCRAPED)
  })

  test('is gone since it had no targets, whoever asks it, until it has some again', async () => {
    const { discovery, after, ask } = endpoint({ west: ALIVE })
    const gone = () => discovery.found().map(({ goneSinceSeconds }) => goneSinceSeconds)
    await after(0)
    await after(400, { lives: { west: died(START_SECONDS + 50) } })
    expect([gone(), await ask('west'), gone()]).toEqual([
      [null],
      expect.stringMatching(UNSCRAPED),
      [START_SECONDS + 400],
    ])
    await after(100)
    expect(gone()).toEqual([START_SECONDS + 400])
    await after(100, { lives: { west: ALIVE } })
    await expect.poll(gone).toEqual([null])
  })

  test('can be asked what it was while it was there, and a range that ends later says why it ends', async () => {
    const { after, ask, memberOf } = endpoint({ west: ALIVE })
    await after(0)
    await after(900, { lives: { west: died(START_SECONDS + 500) } })
    expect(await ask('west')).toMatch(UNSCRAPED)
    expect([await ask('west', RATES, START_SECONDS - 60), await ask('west', 'nothing{}', START_SECONDS)]).toEqual([
      1, 0,
    ])
    const overTime = (start: string, end: string) =>
      memberOf('west').forward(
        {
          path: '/api/v1/query_range',
          method: 'POST',
          fields: [
            ['start', start],
            ['end', end],
          ],
          timeoutSeconds: null,
        },
        signal,
      )
    const began = new Date((START_SECONDS - 600) * 1_000).toISOString()
    expect(await overTime(began, `${START_SECONDS}`)).toMatchObject({ state: 'answered', warnings: [] })
    expect(await overTime(began, `${START_SECONDS + 900}`)).toMatchObject({
      state: 'answered',
      warnings: [expect.stringMatching(UNSCRAPED)],
    })
    await expect(overTime(`${START_SECONDS + 800}`, `${START_SECONDS + 900}`)).rejects.toThrow(UNSCRAPED)
  })
})

const west = { label: 'cluster', op: '=', value: 'west' } as const

describe('an empty answer is believed', () => {
  test.each([
    ['of one that has targets', { targets: STAYS, requests: NEVER }],
    ['of one that never had any: OTLP, or recorded series only', { targets: NEVER, requests: NEVER }],
  ])('%s', async (_, life) => {
    const { after, ask } = endpoint({ east: ALIVE, west: life })
    await after(0)
    expect(await ask('west')).toBe(0)
  })

  test('of one whose targets are not sent along any more, and that tells other things; nobody looks for them then', async () => {
    const lives = { west: { targets: { from: 0, to: START_SECONDS - 100 }, requests: STAYS } }
    const { after, ask, targetsAsked } = endpoint(lives)
    await after(0)
    expect([await ask('west'), await ask('west', 'egress{}')]).toEqual([1, 0])
    expect(targetsAsked()).toBe(0)
    // What was counted over days stays for days, and tells of nobody that he is there.
    const budget = 'sum(increase(requests_total{}[2592000s]))'
    await after(110)
    expect([await ask('west', budget), await ask('west', 'egress{}')]).toEqual([1, expect.stringMatching(UNSCRAPED)])
  })

  test('while nobody can tell: the question is refused, or a store is missing in its answer', async () => {
    const { after, ask, targetsAsked } = endpoint({ west: died(START_SECONDS - 500) })
    await after(0, { refusesTargets: true })
    expect(await ask('west')).toBe(0)
    await after(300, { refusesTargets: false, warnings: ['partial response: a node is down'] })
    expect(await ask('west')).toBe(0)
    const before = targetsAsked()
    await after(60)
    expect(await ask('west')).toBe(0)
    expect(targetsAsked()).toBe(before)
    await after(300, { warnings: [] })
    expect(await ask('west')).toMatch(UNSCRAPED)
  })
})

describe('behind a Thanos', () => {
  const TAKES_IN = 2 ** 63
  const sidecar = (cluster: string, lastError: string | null = null) => ({
    lastError,
    labelSets: [{ cluster, replica: 'a' }],
    maxTime: TAKES_IN,
  })
  const gateway = (...clusters: readonly string[]) => ({
    lastError: null,
    labelSets: clusters.map((cluster) => ({ cluster, replica: 'a' })),
    maxTime: (START_SECONDS - 7_200) * 1_000,
  })
  const held = (discovery: Discovery) =>
    discovery.found().map(({ name, absence }) => [name, absence()?.message ?? null])

  test('a store gateway alone makes no cluster: not one of a year ago, nor one whose sidecar is down', async () => {
    const { world, discovery, after } = endpoint({ east: ALIVE })
    const store = [gateway('east', 'retired', 'west')]
    await after(0, { stores: { sidecar: [sidecar('east'), sidecar('west')], store } })
    expect(held(discovery)).toEqual([
      ['east', null],
      ['west', null],
    ])
    await after(10, { stores: { sidecar: [sidecar('east'), sidecar('west', 'desc = refused')], store } })
    const refused = expect.stringContaining('its store does not answer: refused')
    expect(held(discovery)).toEqual([
      ['east', null],
      ['west', refused],
    ])
    // Looked up anew, it is no other.
    world.stores = { sidecar: [sidecar('east')], store }
    const [, gone] = discovery.found()
    expect((await gone?.confirmedAbsence())?.message).toContain('its sidecar or store is gone')
  })

  test.each([
    ['is gone', [], 0],
    ['still stands in the list', [sidecar('west', 'desc = refused')], 1],
  ])(
    'a cluster that is now held by a receiver, which does not announce it, stays there while its sidecar %s',
    async (_, left, looksBefore) => {
      const { discovery, after, ask } = endpoint({ west: ALIVE })
      const receive = [{ lastError: null, labelSets: [{ receive: 'true' }], maxTime: TAKES_IN }]
      await after(0, { stores: { sidecar: [sidecar('west')], receive } })
      expect(held(discovery)).toEqual([['west', null]])
      for (let look = 0; look < looksBefore + 3; look += 1) {
        await after(10, { stores: { sidecar: left, receive } })
        // It may as well have died a moment ago.
        if (look < looksBefore) continue
        expect([await ask('west'), await ask('west', 'nothing{}'), await ask('west')]).toEqual([1, 0, 1])
      }
    },
  )

  test('while the list of stores cannot be had, they are still who tells', async () => {
    const { world, discovery, after } = endpoint({ west: ALIVE })
    await after(0, { stores: { sidecar: [sidecar('west')] } })
    await after(10, { stores: null })
    world.stores = { sidecar: [sidecar('west', 'desc = refused')] }
    const [found] = discovery.found()
    expect((await found?.confirmedAbsence())?.message).toContain('refused')
  })

  test('a sidecar that answers is enough: nobody counts the targets of all stores', async () => {
    const { after, ask, targetsAsked } = endpoint({ west: died(START_SECONDS - 500) })
    await after(0, { stores: { sidecar: [sidecar('west')], store: [gateway('west')] } })
    expect([await ask('west'), targetsAsked()]).toEqual([0, 0])
  })

  test('a tenant that a receiver still announces, and that sends nothing any more, is absent', async () => {
    const { after, ask } = endpoint({ west: died(START_SECONDS - 500) })
    await after(0, { stores: { receive: [sidecar('west')] } })
    expect(await ask('west')).toMatch(UNSCRAPED)
  })
})
