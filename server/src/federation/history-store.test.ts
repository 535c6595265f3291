import { describe, expect, test } from 'vitest'
import type { Axis } from '../domain/baseline.ts'
import { workloadId } from '../domain/identity.ts'
import { emptyObservation, newInbound, noTcp, type Observation } from '../domain/observation.ts'
import type { Turns } from '../domain/turns.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import type { StepRange } from '../prometheus/step-range.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { HistoryStore } from './history-store.ts'

const AXIS = { fromSeconds: 0, stepSeconds: 15, steps: 4 }
const web = { cluster: 'east', namespace: 'shop', kind: 'deployment', name: 'web' }
const cache = { ...web, name: 'cache' }

/** Requests are counted of one workload, of the other only bytes. */
function read(steps: number): Observation {
  const observation = emptyObservation('east', steps, 'linkerd')
  for (const workload of [web, cache]) {
    const flow = newInbound(workload, steps)
    flow.tcp = noTcp(steps)
    flow.tcp.bytesIn.fill(100)
    if (workload === web) flow.total.success.fill(5)
    observation.inbound.set(workloadId(workload), flow)
  }
  return observation
}

function* reading(steps: number): Turns<Observation> {
  yield
  return read(steps)
}

test('bytes of the past are kept of workloads that nothing else tells of', async () => {
  const store = new HistoryStore('single')
  const asking = { questions: [], reading, seriesCount: 1, patiently: false }
  await store.fill({} as PrometheusApi, asking, AXIS, new AbortController().signal)
  store.met(read(1), { ...AXIS, fromSeconds: 15 })
  const known = store.read({ ...AXIS, fromSeconds: 15 })
  const [ofWeb, ofCache] = [web, cache].map((workload) => known?.inbound.get(workloadId(workload)))
  expect([...(ofWeb?.total.success ?? [])]).toEqual([5, 5, 5, 5])
  expect(ofWeb?.tcp).toBeNull()
  expect([...(ofCache?.tcp?.bytesIn ?? [])]).toEqual([100, 100, 100, 100])
})

describe('where long ranges are refused', () => {
  /** Loads no more steps at once than these. */
  function cluster(mostSteps: number) {
    const state = { mostSteps, asked: [] as number[] }
    const api = {
      async queryRange(_: string, { fromSeconds, toSeconds }: StepRange) {
        const steps = (toSeconds - fromSeconds) / 15 + 1
        state.asked.push(steps)
        if (steps > state.mostSteps) throw new UpstreamError('rejected', 'it would load too many samples')
        return { data: [{ labels: {}, apart: {}, values: new Float64Array(steps) }], warnings: [] }
      },
    } as unknown as PrometheusApi
    const questions = [{ name: 'inbound', promql: 'a', lane: 'fast' as const }]
    const asking = { questions, reading, seriesCount: 1, patiently: false }
    const store = new HistoryStore('single')
    const fill = (steps: number) =>
      store.fill(api, asking, { fromSeconds: 0, stepSeconds: 15, steps }, new AbortController().signal)
    return { state, store, fill }
  }

  test('it is asked for in shorter ones', async () => {
    const { state, store, fill } = cluster(6)
    expect(await fill(20)).toEqual([])
    expect(store.knownTo).toBe(19 * 15)
    expect(state.asked).toEqual([20, 5, 5, 5, 5])
    const known = store.read({ fromSeconds: 0, stepSeconds: 15, steps: 20 })
    expect([...(known?.inbound.get(workloadId(web))?.total.success ?? [])]).toEqual(new Array(20).fill(5))
  })

  test('where it is refused however short it is, that is tried once each time', async () => {
    const { state, store, fill } = cluster(0)
    expect(await fill(20)).toMatchObject([{ question: 'inbound' }])
    expect(state.asked).toEqual([20, 5, 1])
    expect(await fill(20)).toHaveLength(1)
    expect(state.asked).toEqual([20, 5, 1, 1])
    expect(store.knownTo).toBeNull()
    state.mostSteps = 100
    expect(await fill(20)).toEqual([])
    expect(await fill(24)).toEqual([])
    // Ever longer ones again, as they are answered.
    expect(state.asked.slice(4)).toEqual([1, 4, 15, 4])
  })
})

describe('where snapshots lie further apart than steps', () => {
  const axisFrom = (step: number) => ({ fromSeconds: 15 * step, stepSeconds: 15, steps: 4 })

  function cluster() {
    const state = { refused: false, ranges: [] as string[] }
    const api = {
      async queryRange(_: string, { fromSeconds, toSeconds }: StepRange) {
        state.ranges.push(`${fromSeconds}-${toSeconds}`)
        if (state.refused) throw new UpstreamError('unreachable', 'nobody listens')
        return { data: [{ labels: {}, apart: {}, values: new Float64Array(4) }], warnings: [] }
      },
    } as unknown as PrometheusApi
    const questions = [{ name: 'inbound', promql: 'a', lane: 'fast' as const }]
    const asking = { questions, reading, seriesCount: 1, patiently: false }
    const store = new HistoryStore('single')
    const known = (step: number) => [...(store.read(axisFrom(step))?.inbound.get(workloadId(web))?.total.success ?? [])]
    const fill = (axis: Axis) => store.fill(api, asking, axis, new AbortController().signal)
    return { state, store, known, fill }
  }

  test('what they pass over comes later, and what they saw is there at once', async () => {
    const { state, store, known, fill } = cluster()
    await fill(axisFrom(0))
    store.met(read(1), axisFrom(3))
    expect(known(3)).toEqual([5, Number.NaN, Number.NaN, 5])
    store.met(read(1), axisFrom(4))
    store.met(read(1), axisFrom(6))
    expect(known(6)).toEqual([5, 5, Number.NaN, 5])
    expect(store).toMatchObject({ knownTo: 135, wholeTo: 45 })
    state.ranges.length = 0
    state.refused = true
    expect(await fill(axisFrom(6))).toHaveLength(1)
    expect(store.wholeTo).toBe(45)
    state.refused = false
    await fill(axisFrom(6))
    expect(known(6)).toEqual([5, 5, 5, 5])
    // No further back than anybody looks.
    expect(state.ranges).toEqual(['90-135', '90-135'])
    expect(store.wholeTo).toBe(135)
  })

  test('what is asked for up to an earlier instant leaves the later ones to be asked for', async () => {
    const { state, store, fill } = cluster()
    const upTo = (steps: number) => ({ ...axisFrom(0), steps })
    await fill(upTo(40))
    store.met(read(1), upTo(42))
    store.met(read(1), upTo(44))
    state.ranges.length = 0
    await fill(upTo(42))
    expect(store).toMatchObject({ knownTo: 43 * 15, wholeTo: 41 * 15 })
    await fill(upTo(44))
    expect(state.ranges).toEqual([`${40 * 15}-${41 * 15}`, `${42 * 15}-${43 * 15}`])
    expect(store.wholeTo).toBe(43 * 15)
  })

  test('what they saw while the newest steps were asked for is known when those are there', async () => {
    const { store, known, fill } = cluster()
    await fill(axisFrom(0))
    const filling = fill(axisFrom(1))
    for (const step of [2, 4]) store.met(read(1), axisFrom(step))
    expect(store.knownTo).toBe(45)
    await filling
    expect(known(4)).toEqual([5, 5, Number.NaN, 5])
    expect(store).toMatchObject({ knownTo: 105, wholeTo: 75 })
  })

  test('while all of it is asked for nothing that they saw is held', async () => {
    const { store, fill } = cluster()
    const filling = fill(axisFrom(0))
    store.met(read(1), axisFrom(1))
    await filling
    expect(store.knownTo).toBe(45)
  })

  test('a snapshot so long after the last one that a deviation would have ended stands for nothing', async () => {
    const { store, fill } = cluster()
    await fill(axisFrom(0))
    store.met(read(1), axisFrom(4))
    expect(store.knownTo).toBe(45)
    store.met(read(1), axisFrom(3))
    expect(store.knownTo).toBe(90)
  })
})

describe('while a store behind the endpoint cannot be reached', () => {
  const MISSING =
    'fetch series for {} Addr: 10.0.0.9:10901 MinTime: 0 MaxTime: 1: rpc error: code = Unavailable desc = gone'
  const { signal } = new AbortController()
  const axisFrom = (step: number) => ({ fromSeconds: 15 * step, stepSeconds: 15, steps: 4 })

  /** A cluster whose workload has 10 requests a second, of which half are in the store. */
  function cluster() {
    const state = { isPart: false, isOldPart: false, refused: false, ranges: [] as string[] }
    let newest = Number.NEGATIVE_INFINITY
    const api = {
      async queryRange(_: string, { fromSeconds, toSeconds }: StepRange) {
        state.ranges.push(`${fromSeconds}-${toSeconds}`)
        if (state.refused) throw new UpstreamError('unreachable', 'nobody listens')
        const data = [{ labels: {}, apart: {}, values: new Float64Array(4) }]
        const isOld = fromSeconds <= newest
        newest = Math.max(newest, toSeconds)
        return { data, warnings: state.isPart || (state.isOldPart && isOld) ? [MISSING] : [] }
      },
    } as unknown as PrometheusApi
    const told = (steps: number) => {
      const observation = read(steps)
      observation.inbound.get(workloadId(web))?.total.success.fill(state.isPart ? 5 : 10)
      return observation
    }
    const asking = {
      questions: [{ name: 'inbound', promql: 'a', lane: 'fast' as const }],
      *reading(steps: number): Turns<Observation> {
        yield
        return told(steps)
      },
      seriesCount: 1,
      patiently: false,
    }
    const store = new HistoryStore('single')
    const known = (step: number) => [...(store.read(axisFrom(step))?.inbound.get(workloadId(web))?.total.success ?? [])]
    return { state, store, known, told, fill: (step: number) => store.fill(api, asking, axisFrom(step), signal) }
  }

  test('what can be reached is shown, and asked for again once all of it can', async () => {
    const { state, known, fill } = cluster()
    await fill(0)
    state.isPart = true
    await fill(1)
    await fill(2)
    expect(known(2)).toEqual([10, 10, 5, 5])
    state.isPart = false
    state.ranges.length = 0
    await fill(3)
    expect(known(3)).toEqual([10, 10, 10, 10])
    expect(state.ranges).toEqual(['90-90', '60-75'])
    await fill(4)
    expect(state.ranges).toEqual(['90-90', '60-75', '105-105'])
  })

  test('what it does not reach still is not asked for with each new step', async () => {
    const { state, fill } = cluster()
    await fill(0)
    state.isPart = true
    for (const step of [1, 2, 3]) await fill(step)
    expect(state.ranges).toEqual(['0-45', '60-60', '75-75', '90-90'])
  })

  test('where only what is old is out of reach, that is asked for ever more seldom', async () => {
    const { state, fill } = cluster()
    await fill(0)
    state.isPart = true
    await fill(1)
    await fill(2)
    state.ranges.length = 0
    state.isPart = false
    state.isOldPart = true
    for (const step of [3, 4, 5, 6, 7]) await fill(step)
    // At 120 the steps from 60 on are four, of which the axis has three.
    expect(state.ranges).toEqual(['90-90', '60-75', '105-105', '120-120', '75-105', '135-135', '150-150'])
  })

  test('and so where snapshots told it', async () => {
    const { state, store, known, told, fill } = cluster()
    await fill(0)
    state.isPart = true
    store.met(told(1), axisFrom(1), true)
    state.isPart = false
    store.met(told(1), axisFrom(2))
    expect(store.knownTo).toBe(60)
    await fill(2)
    expect(known(2)).toEqual([10, 10, 10, 10])
    store.met(told(1), axisFrom(3))
    expect(store.knownTo).toBe(90)
  })

  test('and again where that was refused', async () => {
    const { state, known, fill } = cluster()
    await fill(0)
    state.isPart = true
    await fill(1)
    Object.assign(state, { isPart: false, refused: true })
    expect(await fill(2)).toMatchObject([{ question: 'inbound' }])
    state.refused = false
    await fill(2)
    expect(known(2)).toEqual([10, 10, 10, 10])
  })
})
