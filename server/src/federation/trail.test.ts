import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BucketColumns } from '../domain/bucket-columns.ts'
import { emptyObservation, newInbound, type Observation } from '../domain/observation.ts'
import { quantileAt } from '../domain/quantile-at.ts'
import { type KeptTexts, keeperOf } from './kept.ts'
import { type KeptTrail, Trail } from './trail.ts'

const AT = 10_000
const SPAN_SECONDS = 1_900

/** Workloads by the upper bound (seconds) of the bucket that all their requests are in. */
function observed(bounds: Readonly<Record<string, number>>): Observation {
  const observation = emptyObservation('east', 1, 'linkerd')
  for (const [name, bound] of Object.entries(bounds)) {
    const inbound = newInbound({ cluster: 'east', namespace: 'shop', kind: 'deployment', name }, 1)
    const buckets = new BucketColumns(1)
    buckets.add(bound / 2, [0])
    for (const above of [bound, Number.POSITIVE_INFINITY]) buckets.add(above, [1])
    observation.inbound.set(name, { ...inbound, total: { ...inbound.total, buckets } })
  }
  return observation
}
const p99Of = (bound: number) => {
  const total = observed({ web: bound }).inbound.get('web')?.total
  return total === undefined ? null : quantileAt(0.99, total, 0)
}

async function writtenDown(trail: KeptTrail): Promise<KeptTrail> {
  const texts = new Map<string, string>()
  const held: KeptTexts = {
    get: async (key) => texts.get(key),
    set: async (key, text) => void texts.set(key, text),
    delete: async (key) => void texts.delete(key),
  }
  const keeper = keeperOf(held, (why) => expect.fail(why))
  await keeper<KeptTrail>('east').save(() => trail)
  const read = await keeper<KeptTrail>('east').load()
  if (read === null) throw new Error('nothing was kept')
  return read
}

test('tells what was met last within a stretch, whoever was met when', () => {
  const names = fc.constantFrom('web', 'cart', 'db', 'queue', 'mail')
  const bound = fc.integer({ min: 1, max: 1_000 })
  const look = fc.record({ ago: fc.integer({ min: 0, max: 60 }), bounds: fc.dictionary(names, bound) })
  fc.assert(
    fc.property(fc.array(look, { maxLength: 30 }), names, bound, bound, (looks, name, from, length) => {
      const trail = new Trail()
      const met = new Map<number, number>()
      for (const { ago, bounds } of looks) {
        const at = AT - ago * 30
        trail.add(at, observed(bounds))
        const value = bounds[name]
        if (value !== undefined) met.set(at, value)
      }
      const [fromSeconds, toSeconds] = [AT - from * 2, AT - from * 2 + length]
      const last = [...met.keys()].filter((at) => at > fromSeconds && at <= toSeconds).sort((a, b) => b - a)[0]
      const expected = last === undefined ? null : p99Of(met.get(last) ?? 0)
      expect(trail.p99(name, fromSeconds, toSeconds)).toBe(expected)
    }),
  )
})

test('forgets what is older than a sparkline, and the names of workloads that are gone', () => {
  const trail = new Trail()
  for (let run = 0; run < 500; run += 1) trail.add(AT + run * 30, observed({ web: 1, [`job-${run}`]: 2 }))
  const now = AT + 499 * 30
  const { names, met } = trail.kept
  expect(met.length).toBe(Math.ceil(SPAN_SECONDS / 30))
  expect(names.length).toBeLessThan(200)
  expect(trail.p99('web', now - 30, now)).toBe(p99Of(1))
  expect(trail.p99('job-499', now - 30, now)).toBe(p99Of(2))
  expect(trail.p99('job-490', 0, now)).toBe(p99Of(2))
  expect(trail.p99('job-1', 0, now)).toBeNull()
})

test('goes on from what was written down, unless something was met since', async () => {
  const before = new Trail()
  before.add(AT, observed({ web: 1, cart: 3 }))
  // As it is kept for the next process, numbers of eight bytes wherever they come to lie.
  const written = await writtenDown(before.kept)
  const next = new Trail()
  next.recall(written)
  next.add(AT + 30, observed({ db: 5, cart: 4 }))
  expect(next.p99('web', AT - 30, AT + 30)).toBe(p99Of(1))
  expect(next.p99('cart', AT - 30, AT + 30)).toBe(p99Of(4))
  expect(next.p99('cart', AT - 30, AT)).toBe(p99Of(3))
  next.recall(written)
  expect(next.p99('db', AT, AT + 30)).toBe(p99Of(5))
})

test('what another build wrote down is refused', () => {
  const tables = { names: [], met: [{ atSeconds: AT, p99: new Map() }] } as unknown as KeptTrail
  expect(() => new Trail().recall(tables)).toThrow()
  expect(() => new Trail().recall([] as unknown as KeptTrail)).toThrow()
})
