import { describe, expect, test } from 'vitest'
import { addTraffic } from '../../src/domain/add-traffic.ts'
import type { ClusterView } from '../../src/domain/assess.ts'
import {
  type Picture,
  withPercentiles as percentilesComing,
  withRequests as requestsComing,
} from '../../src/domain/picture.ts'
import { workloadRow } from '../../src/domain/row.ts'
import { emptyTraffic } from '../../src/domain/traffic.ts'
import { allAtOnce } from '../../src/domain/turns.ts'
import { C, D, pictureIn, SLOW, viewsIn, X } from './incident-world.ts'

const withPercentiles = (picture: Picture, views: readonly ClusterView[]) =>
  allAtOnce(percentilesComing(picture, views))
const withRequests = (picture: Picture, views: readonly ClusterView[]) => allAtOnce(requestsComing(picture, views))

/** What is received now: twice as much. */
const later = (views: readonly ClusterView[]): readonly ClusterView[] =>
  views.map((view) => {
    const inbound = [...(view.now?.inbound ?? [])].map(([id, flow]) => {
      const total = emptyTraffic(1)
      addTraffic(total, flow.total)
      addTraffic(total, flow.total)
      return [id, { ...flow, total }] as const
    })
    return { ...view, now: view.now && { ...view.now, inbound: new Map(inbound), outbound: new Map() } }
  })

describe('a picture whose calls stand', () => {
  const views = viewsIn(SLOW)
  const drawn = pictureIn(SLOW, views)
  const now = withRequests(drawn, later(views))
  const rowOf = (picture: typeof drawn, id: string) => {
    const workload = picture.situation.assessment.workloads.get(id) ?? expect.fail(`${id} is not there`)
    return workloadRow(picture.situation, picture.judgement, workload)
  }

  test('has what workloads receive by now', () => {
    for (const id of [X, C, D]) {
      const [before, after] = [rowOf(drawn, id).reading.golden, rowOf(now, id).reading.golden]
      expect(after.requestsPerSecond).toBeCloseTo(2 * (before.requestsPerSecond ?? Number.NaN), 9)
      expect(after.latencySeconds.mean).toBeCloseTo(before.latencySeconds.mean ?? Number.NaN, 9)
    }
  })

  test('tells how old that is', () => {
    const aged = views.map((view) => ({ ...view, ageSeconds: 20 }))
    for (const { ageSeconds, stale } of withRequests(drawn, aged).situation.assessment.workloads.values())
      expect([ageSeconds, stale]).toEqual([20, false])
    const silent = views.map((view) => ({ ...view, state: 'stale' as const }))
    for (const { stale } of withRequests(drawn, silent).situation.assessment.workloads.values())
      expect(stale).toBe(true)
  })

  test('is joined and judged as it was', () => {
    expect(now.judgement).toBe(drawn.judgement)
    expect(now.verdict).toBe(drawn.verdict)
    expect(now.situation.edges).toBe(drawn.situation.edges)
    expect(now.situation.callsOf.get(C)).toBe(drawn.situation.callsOf.get(C))
    for (const id of [X, C, D]) {
      const { reading: _, changeRatio: _ratio, ...before } = rowOf(drawn, id)
      expect(rowOf(now, id)).toMatchObject({ own: before.own, health: before.health, via: before.via })
    }
  })

  test('leaves the one it is made of as it is, and whoever is not asked about as he was', () => {
    const again = pictureIn(SLOW, views)
    expect([...drawn.situation.assessment.workloads]).toEqual([...again.situation.assessment.workloads])
    const [first, ...others] = later(views)
    const some = withRequests(drawn, first === undefined ? [] : [first])
    for (const [id, workload] of drawn.situation.assessment.workloads) {
      const asked = workload.ref.cluster === first?.name
      const same = some.situation.assessment.workloads.get(id)?.now.requestsPerSecond === workload.now.requestsPerSecond
      if (workload.now.requestsPerSecond) expect(same, id).toBe(!asked)
    }
    expect(others.length).toBeGreaterThan(0)
  })

  test('measures no calls that nobody asks for', () => {
    const lazy = withPercentiles(drawn, views) ?? expect.fail('not the same')
    const edges = Object.getOwnPropertyDescriptor(withRequests(lazy, later(views)).situation, 'edges')
    expect(edges?.get).toBeTypeOf('function')
    expect(withRequests(lazy, later(views)).situation.edges.length).toBe(drawn.situation.edges.length)
  })
})
