import { expect, test } from 'vitest'
import { requestsAt } from '../../src/domain/traffic.ts'
import { perSecond } from './counters.ts'
import { pageText } from './exposition.ts'
import { drawWorld, observationsOf, pagesOf } from './world.ts'

const texts = (seed: number) => {
  const { truth } = drawWorld(seed)
  return truth.clusters.flatMap((cluster) => pagesOf(truth, cluster, 'all').map((page) => pageText(page, 2)))
}

/** Beside a dozen busy processes drawing a world takes a multiple of its second. */
const PATIENT = { timeout: 300_000 }

test('the same seed draws the same pages, another seed others', PATIENT, () => {
  expect(texts(5)).toEqual(texts(5))
  expect(texts(5)).not.toEqual(texts(6))
})

test('what arrives at every workload is what was sent to it', PATIENT, () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const world = drawWorld(seed)
    const sent = new Map<string, number>()
    for (const call of world.truth.calls) {
      for (const { workload, perStep } of call.to) {
        sent.set(workload.id, (sent.get(workload.id) ?? 0) + perSecond(perStep * call.attempts))
      }
    }
    const doors = world.truth.clusters.map(({ ingress }) => ingress.workload.id)
    const proxies = world.truth.proxies.map(({ id }) => id)
    const arrived = observationsOf(world)
      .flatMap(({ inbound }) => [...inbound])
      .filter(([id]) => !doors.includes(id) && !proxies.includes(id))
    expect(arrived.map(([id]) => id).sort()).toEqual([...sent.keys()].sort())
    for (const [id, { total }] of arrived) expect(requestsAt(total, 0), id).toBeCloseTo(sent.get(id) ?? Number.NaN, 6)
  }
})
