import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { labelsApart } from '../domain/apart.ts'
import type { Observation } from '../domain/observation.ts'
import { flowAt } from '../domain/traffic.ts'
import type { SeriesColumn } from './dialect.ts'
import { within } from './promql.ts'
import { readAtOnce } from './read-series.ts'
import { dialects } from './registry.ts'

interface Fixture {
  about: string
  cluster: string
  answers: Record<string, { labels: Record<string, string>; value: number }[]>
}

const fixtures = new URL('./fixtures/', import.meta.url)

function fixturesOf(dialect: string): { file: string; fixture: Fixture }[] {
  const folder = new URL(`${dialect}/`, fixtures)
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      file,
      fixture: JSON.parse(readFileSync(new URL(`${dialect}/${file}`, fixtures), 'utf8')) as Fixture,
    }))
}

function columns(fixture: Fixture, steps = 1): Map<string, SeriesColumn[]> {
  return new Map(
    Object.entries(fixture.answers).map(([question, series]) => [
      question,
      series.map(({ labels, value }) => ({ ...labelsApart(labels), values: new Float64Array(steps).fill(value) })),
    ]),
  )
}

/** What every dialect promises, over each of its recorded answers. */
describe.each(dialects)('$name', (dialect) => {
  const questions = dialect.questions(60)

  test('asks at most ten aggregated questions each time, each by a name of its own', () => {
    expect(questions.filter(({ rare }) => !rare).length).toBeLessThanOrEqual(10)
    expect(new Set(questions.map(({ name }) => name)).size).toBe(questions.length)
    for (const { promql } of questions) expect(promql).toMatch(/^(label_replace\()*(sum|count) by \(/)
  })

  test('every selector can be narrowed to one of many clusters', () => {
    const callers = [{ cluster: 'east', namespace: 'shop', kind: 'deployment', name: 'web' }]
    const edge = dialect.edgeQuestion(60, callers)
    for (const { promql } of [...questions, ...(edge === null ? [] : [edge])]) {
      const narrowed = within(promql, [{ label: 'cluster', op: '=', value: 'east' }])
      const bare = narrowed
        .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
        .replaceAll(/\{cluster="",?[^}]*\}/g, '{}')
        .replaceAll(/\b(by|without|on|ignoring|group_left|group_right) \([^)]*\)/g, '')
      expect(bare.match(/\{\}/g)?.length).toBeGreaterThan(0)
      // What is left of names: functions, operators, durations, and metrics with their braces.
      for (const [, name = '', next] of bare.matchAll(/([a-zA-Z_:][\w:]*)\s*(.?)/g)) {
        const metric = next !== '(' && !/^(or|and|unless|by|without|on|ignoring|bool|offset|ms|[smhdwy])$/.test(name)
        if (metric) expect(`${name}${next}`).toBe(`${name}{`)
      }
    }
  })

  test('what it tells of labels is of labels that it asks for', () => {
    const caller = { cluster: 'east', namespace: 'shop', kind: 'deployment', name: 'web' }
    const edge = dialect.edgeQuestion(60, [caller])
    const asked = [...questions, ...(edge === null ? [] : [edge]), ...(dialect.podQuestions?.(60, caller) ?? [])]
    const text = asked.map(({ promql }) => promql).join(' ')
    for (const { labels } of dialect.labelUses)
      for (const label of labels) expect(text).toMatch(new RegExp(`[{(,] ?"?${label}\\b`))
    expect(dialect.labelUses.map(({ says }) => says)).toEqual(expect.arrayContaining(['failed or not', 'bucket']))
  })

  test('reads nothing out of nothing', () => {
    const observation = readAtOnce(dialect, 'east', 1, new Map())
    expect([observation.inbound.size, observation.outbound.size]).toEqual([0, 0])
  })

  describe.each(fixturesOf(dialect.name))('$file', ({ fixture }) => {
    const read = (steps: number): Observation => readAtOnce(dialect, fixture.cluster, steps, columns(fixture, steps))

    test('every recorded question is one that is asked', () => {
      const asked = questions.map(({ name }) => name)
      for (const question of Object.keys(fixture.answers)) expect(asked).toContain(question)
    })

    test('every workload and call belongs to the cluster that was asked', () => {
      for (const { workload } of read(1).inbound.values()) expect(workload.cluster).toBe(fixture.cluster)
      for (const { from } of read(1).outbound.values()) expect(from.cluster).toBe(fixture.cluster)
    })

    test('history reads as the instant does, step by step', () => {
      const now = read(1)
      const history = read(3)
      for (const [id, { total }] of now.inbound) {
        expect(flowAt(history.inbound.get(id)?.total ?? total, 2)).toEqual(flowAt(total, 0))
      }
      expect([...history.outbound.keys()]).toEqual([...now.outbound.keys()])
    })

    test('quantities are seconds: no latency of an hour', () => {
      for (const { total } of read(1).inbound.values()) expect(flowAt(total, 0).meanSeconds ?? 0).toBeLessThan(3_600)
    })
  })
})

describe('linkerd reads', () => {
  const [recorded] = fixturesOf('linkerd')
  const [linkerd] = dialects
  if (recorded === undefined || linkerd === undefined) throw new Error('no fixture')
  const observation = readAtOnce(linkerd, 'east', 1, columns(recorded.fixture))
  const cart = observation.inbound.get('east/shop/cart')
  const call = (key: string) => observation.outbound.get(`east/shop/web ${key}`)

  test('requests, failures and the mean of a workload', () => {
    const flow = cart && flowAt(cart.total, 0)
    expect(flow).toMatchObject({ requestsPerSecond: 25, failuresPerSecond: 0.4 })
    expect(flow?.meanSeconds).toBeCloseTo(0.6 / 25, 12)
  })

  test('le="1" and le="1.0" are one bucket; an unreadable one is left out', () => {
    const histogram = cart && flowAt(cart.total, 0).histogram
    expect(histogram).toEqual({
      upperBounds: [0.001, 0.01, 0.05, Number.POSITIVE_INFINITY],
      cumulative: [3, 10, 25, 25],
    })
  })

  test('one caller and one host can be told from the others', () => {
    expect([...(cart?.byHost.keys() ?? [])]).toEqual(['cart.shop.svc.cluster.local', 'cart.example.com'])
    const client = cart?.byClient.get('web.shop.serviceaccount.identity.linkerd.cluster.local')
    expect(client && flowAt(client, 0)).toMatchObject({ requestsPerSecond: 20, meanSeconds: 0.02 })
  })

  test('other kinds than deployments keep their kind; series of no workload are left out', () => {
    expect([...observation.inbound.keys()]).toEqual(['east/shop/cart', 'east/data/statefulset:pg'])
    expect(observation.inbound.get('east/data/statefulset:pg')?.total.success[0]).toBe(0)
  })

  test('each kind of destination', () => {
    expect([...observation.outbound.values()].map(({ destination }) => destination.kind)).toEqual([
      'workload',
      'mirror',
      'address',
      'host',
      'host',
    ])
    expect(call('mirror west/shop/cart')?.destination).toMatchObject({ cluster: 'west', service: 'cart' })
  })

  test('egress by host: 404 succeeds, 5xx and proxy errors fail, names compare without case', () => {
    const flow = call('host a.west.example.com')
    expect(flow && flowAt(flow.traffic, 0)).toMatchObject({ requestsPerSecond: 6, failuresPerSecond: 0.5 })
    expect(flow && flowAt(flow.traffic, 0).meanSeconds).toBeCloseTo(0.1, 12)
    expect(flow).toMatchObject({ measure: 'full', attempts: 'effective' })
    expect(call('host b.west.example.com')).toBeDefined()
  })

  test('pods that report', () => expect(observation.pods.get('east/shop/cart')?.[0]).toBe(2))
})
