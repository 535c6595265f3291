import { afterEach, describe, expect, test } from 'vitest'
import { partialWarnings } from '../src/prometheus/victoria-metrics.ts'
import { hanging, never, ok, startFakeCluster } from './support/fake-cluster.ts'
import { type Answering, type Asked, json } from './support/fake-prometheus.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** Who is silent is asked besides whether it is there. */
const isQuestion = ({ fields }: Asked) => fields.get('query') !== 'vector(1)'

async function cluster(...given: Parameters<typeof startFakeCluster>) {
  const started = await startFakeCluster(...given)
  closing.push(started.close)
  return { ...started, timesAsked: () => started.replicas.map(({ asked }) => asked.filter(isQuestion).length) }
}

// As Thanos 0.42 says them.
const SILENT = 'receive series from Addr: 10.0.0.7:10901 MinTime: 1 MaxTime: 2: rpc error: code = Unavailable desc = x'
const partly = (value: string, warning = SILENT): Answering => ok(value, { warnings: [warning] })
const refusing =
  (error: string, errorType = 'execution'): Answering =>
  (_, response) =>
    json(response, 422, { status: 'error', errorType, error })
const withoutStore = refusing(`expanding series: proxy Series(): rpc error: code = Aborted desc = ${SILENT}`)

describe('a replica that does not reach all of the data', () => {
  test.each([
    ['an answer without what a store has', partly('1')],
    ['an answer without any store', partly('1', 'No StoreAPIs matched for this query')],
    ['an answer of some storage nodes', partly('1', partialWarnings(true)[0])],
    ['a refusal because of a store', withoutStore],
    ['a refusal for want of a store', refusing('proxy Series(): No StoreAPIs available')],
    ['a refusal because its own storage fails', refusing('expanding series: corrupted chunk')],
  ])('%s: the next one has the whole, and goes on', async (_, how) => {
    const { value, timesAsked } = await cluster([how, ok('2')])
    expect(await value()).toBe(2)
    expect(await value()).toBe(2)
    expect(timesAsked()).toEqual([1, 2])
  })

  test('none has the whole: the first answer is given, and the others are left alone for a while', async () => {
    const { api, value, clock, timesAsked } = await cluster([partly('1'), partly('2'), partly('3')])
    expect(await api.query('x', 1_000, never)).toMatchObject({ warnings: [SILENT] })
    expect(timesAsked()).toEqual([1, 1, 1])
    for (let refresh = 0; refresh < 3; refresh += 1) expect(await value()).toBe(1)
    expect(timesAsked()).toEqual([4, 1, 1])
    clock.seconds += 31
    expect(await value()).toBe(1)
    expect(timesAsked()).toEqual([5, 2, 2])
  })

  test('one that has the whole again is found', async () => {
    const { value, replicas, clock } = await cluster([partly('1'), partly('2')])
    expect(await value()).toBe(1)
    replicas[1]?.answer(ok('2'))
    expect(await value()).toBe(1)
    clock.seconds += 31
    expect(await value()).toBe(2)
  })

  test('a clock that is set back keeps nobody from it', async () => {
    const { value, replicas, clock } = await cluster([partly('1'), partly('2')])
    expect(await value()).toBe(1)
    replicas[1]?.answer(ok('2'))
    clock.seconds -= 600
    expect(await value()).toBe(2)
  })

  test('some of it is more than a refusal', async () => {
    const { value, timesAsked } = await cluster([withoutStore, partly('2')])
    expect(await value()).toBe(2)
    expect(await value()).toBe(2)
    expect(timesAsked()).toEqual([1, 2])
  })

  test('all refuse: what the first one said, and no other is asked for a while', async () => {
    const { value, timesAsked } = await cluster([withoutStore, withoutStore])
    for (let refresh = 0; refresh < 3; refresh += 1)
      await expect(value()).rejects.toMatchObject({ kind: 'rejected', message: /10\.0\.0\.7/ })
    expect(timesAsked()).toEqual([3, 1])
  })

  test('one in bad health is not looked at for more', async () => {
    const { value, timesAsked, states } = await cluster([hanging, partly('2')], 2)
    expect(await value()).toBe(2)
    expect(await value()).toBe(2)
    await expect.poll(states).toEqual(['failing', 'ok'])
    expect(await value()).toBe(2)
    expect(timesAsked()).toEqual([1, 3])
  })

  test('one that fails when it is looked at for more takes nothing away', async () => {
    const { value, timesAsked } = await cluster([partly('1'), hanging], 2)
    expect(await value()).toBe(1)
    expect(await value()).toBe(1)
    expect(timesAsked()).toEqual([2, 1])
  })

  test.each([
    ['a question that none can answer', refusing('multiple matches for labels')],
    [
      'a limit that all of them have',
      refusing(`expanding series: ${SILENT} code = ResourceExhausted desc = limit 1 violated`),
    ],
  ])('%s is not taken elsewhere', async (_, how) => {
    const { value, timesAsked } = await cluster([how, ok('2')])
    await expect(value()).rejects.toMatchObject({ kind: 'rejected' })
    expect(timesAsked()).toEqual([1, 0])
  })

  test.each([
    ['an answer', partly('1')],
    ['a refusal', withoutStore],
  ])("somebody else's question, %s: the same", async (_, how) => {
    const { api, timesAsked } = await cluster([how, ok('2')])
    const question = { path: '/api/v1/query', method: 'POST', fields: [['query', 'x']], timeoutSeconds: null } as const
    expect(await api.forward(question, never)).toMatchObject({ state: 'answered', warnings: [] })
    expect(timesAsked()).toEqual([1, 1])
  })

  test("somebody else's question that is no PromQL is not taken elsewhere, whatever it reads like", async () => {
    const { api, timesAsked } = await cluster([refusing('unexpected identifier "Addr: x"', 'bad_data'), ok('2')])
    const question = { path: '/api/v1/query', method: 'POST', fields: [], timeoutSeconds: null } as const
    expect(await api.forward(question, never)).toMatchObject({ state: 'refused', errorType: 'bad_data' })
    expect(timesAsked()).toEqual([1, 0])
  })
})

test('a late answer of one that lacked something does not bring it back to the front', async () => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const first: Answering = async (asked, response) => {
    if (asked.fields.get('query') !== 'slow') return partly('1')(asked, response)
    await held
    return ok('1')(asked, response)
  }
  const { api, value, replicas } = await cluster([first, ok('2')])
  const slow = api.query('slow', 1_000, never)
  await expect.poll(() => replicas[0]?.asked.length).toBe(1)
  expect(await value()).toBe(2)
  release()
  await slow
  expect(await value()).toBe(2)
  expect(replicas[0]?.asked).toHaveLength(2)
})
