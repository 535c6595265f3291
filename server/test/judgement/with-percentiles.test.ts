import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addTraffic, bucketsToAdd } from '../../src/domain/add-traffic.ts'
import type { ClusterView } from '../../src/domain/assess.ts'
import type { Observation } from '../../src/domain/observation.ts'
import { type Picture, withPercentiles as percentilesComing } from '../../src/domain/picture.ts'
import { preparedRows, workloadRow } from '../../src/domain/row.ts'
import { emptyTraffic } from '../../src/domain/traffic.ts'
import { allAtOnce } from '../../src/domain/turns.ts'
import { withSlow } from '../../src/federation/bucket-lane.ts'
import { C, type Course, course, D, type Given, pictureIn, SLOW, viewsIn, X } from './incident-world.ts'

const AGE_SECONDS = 0

const withPercentiles = (picture: Picture, views: readonly ClusterView[]) =>
  allAtOnce(percentilesComing(picture, views))

/** What the slow lane brings: the buckets of those that are called. */
function slowOf({ inbound, ...rest }: Observation): Observation {
  const total = (perSecond: number) => {
    const traffic = emptyTraffic(1)
    for (const [bound, share] of [
      [0.1, 0.5],
      [1, 0.9],
      [Number.POSITIVE_INFINITY, 1],
    ] as const)
      bucketsToAdd(traffic).add(bound, [perSecond * share])
    return traffic
  }
  const buckets = [...inbound].map(
    ([id, flow]) => [id, { ...flow, total: total(flow.total.latencyCount[0] ?? 0) }] as const,
  )
  return { ...rest, inbound: new Map(buckets), outbound: new Map(), routes: new Map() }
}

const completed = (views: readonly ClusterView[]): readonly ClusterView[] =>
  views.map((view) => ({ ...view, now: view.now && withSlow(view.now, slowOf(view.now), AGE_SECONDS) }))

const courses: fc.Arbitrary<Course> = fc
  .record({
    rate: fc.constantFrom(0, 3, 40),
    usual: fc.double({ min: 0.001, max: 0.2, noNaN: true }),
    slower: fc.constantFrom(1, 1, 8),
    failing: fc.constantFrom(0, 0, 2),
  })
  .map(({ rate, usual, slower, failing }) => course(rate, usual, usual * slower, Math.min(rate, failing)))

const ids = ['east/shop/x', 'east/shop/y', 'west/labs/c', 'west/labs/d', 'west/labs/e']

const worlds: fc.Arbitrary<Given> = fc.record(
  {
    nodes: fc.tuple(...ids.map(() => courses)).map((list) => Object.fromEntries(ids.map((id, at) => [id, list[at]]))),
    calls: fc.array(
      fc.record({
        from: fc.constantFrom(...ids),
        to: fc.constantFrom(...ids, 'host:outside.example'),
        course: courses,
      }),
      { maxLength: 8 },
    ),
    silent: fc.constantFrom([], [], ['west']),
    hostless: fc.boolean(),
  },
  { requiredKeys: ['nodes', 'calls'] },
) as fc.Arbitrary<Given>

test('what was drawn before the percentiles came is, with them, what would have been drawn with them', () => {
  fc.assert(
    fc.property(worlds, (given) => {
      const views = viewsIn(given)
      const whole = completed(views)
      expect(withPercentiles(pictureIn(given, views), whole)).toEqual(pictureIn(given, whole))
    }),
    { numRuns: 60 },
  )
})

test('rows whose ground was laid before the percentiles came are, with them, what they would have been', () => {
  const rowsOf = ({ situation, judgement }: Picture) =>
    [...situation.assessment.workloads.values()].map((workload) => workloadRow(situation, judgement, workload))
  fc.assert(
    fc.property(worlds, (given) => {
      const views = viewsIn(given)
      const whole = completed(views)
      const early = pictureIn(given, views)
      Array.from(preparedRows(early.situation, early.judgement))
      expect(rowsOf(withPercentiles(early, whole) ?? expect.fail('not the same'))).toEqual(
        rowsOf(pictureIn(given, whole)),
      )
    }),
    { numRuns: 60 },
  )
})

test('and it has them, everywhere', () => {
  const views = viewsIn(SLOW)
  const { situation, verdict } =
    withPercentiles(pictureIn(SLOW, views), completed(views)) ?? expect.fail('not the same')
  expect(verdict.text).toContain('labs/d')
  for (const id of [X, C, D]) expect(situation.assessment.workloads.get(id)?.now.histogram, id).not.toBeNull()
  for (const calls of [situation.edges, situation.callsOf.get(C), situation.callersOf.get(D)]) {
    const call = calls?.find(({ edge }) => edge.from === C && edge.to === D)
    expect(call?.flows.calleeNow.histogram).toEqual(situation.assessment.workloads.get(D)?.now.histogram)
  }
})

const changed: Record<string, (view: ClusterView, now: Observation) => ClusterView> = {
  'is late': (view) => ({ ...view, state: 'stale', ageSeconds: 20 }),
  'says nothing any more': (view) => ({ ...view, state: 'missing', now: null }),
  'has told more of its past': (view) => ({ ...view, history: { ...(view.history as Observation) } }),
  'has other rates': (view, now) => {
    const [[id, flow] = expect.fail('nobody is called')] = now.inbound
    const total = emptyTraffic(1)
    addTraffic(total, flow.total)
    return { ...view, now: { ...now, inbound: new Map([...now.inbound, [id, { ...flow, total }]]) } }
  },
  'calls somebody else': (view, now) => {
    const [[, flow] = expect.fail('nobody calls')] = now.outbound
    return { ...view, now: { ...now, outbound: new Map([...now.outbound, ['another', flow]]) } }
  },
  'tells what is evidence': (view, now) => ({
    ...view,
    now: { ...now, signals: new Map([[D, new Map([['retriesPerSecond', Float64Array.of(1)]])]]) } as Observation,
  }),
}

test.each(Object.entries(changed))('a cluster that %s is judged anew', (_, change) => {
  const views = viewsIn(SLOW)
  const later = completed(views).map((view) => change(view, view.now ?? expect.fail('silent')))
  expect(withPercentiles(pictureIn(SLOW, views), later)).toBeNull()
  expect(withPercentiles(pictureIn(SLOW, views), completed(views))).not.toBeNull()
})
