import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unasked } from './ask-now.ts'
import { Rest } from './rest.ts'

const REFRESH_SECONDS = 10
const reading = (atSeconds: number) => ({ atSeconds, windowSeconds: 60 })

/** At which of these instants a cluster is asked that is to rest so long each time. */
function askedAt(instants: readonly number[], restsForSeconds: number): number[] {
  const rest = new Rest(300, REFRESH_SECONDS)
  const asked: number[] = []
  for (const atSeconds of instants) {
    if (rest.standing(reading(atSeconds), restsForSeconds) !== null) continue
    asked.push(atSeconds)
    // The part that comes first, and the whole of it.
    for (const answered of [unasked('east'), unasked('east')]) rest.told(reading(atSeconds), answered, restsForSeconds)
  }
  return asked
}

const everyRefresh = (count: number) => Array.from({ length: count }, (_, index) => 1_000 + REFRESH_SECONDS * index)

describe('a cluster that is to be left alone', () => {
  test('for a little longer than a refresh is asked with almost each of them, and never more often', () => {
    expect(askedAt(everyRefresh(10), 12.5)).toEqual([1_000, 1_020, 1_030, 1_040, 1_050, 1_070, 1_080, 1_090])
    expect(askedAt(everyRefresh(101), 10.1)).toHaveLength(100)
  })

  test('for an exact number of refreshes is asked with each so many', () => {
    expect(askedAt(everyRefresh(7), 30)).toEqual([1_000, 1_030, 1_060])
  })

  test('takes no more than it may, and hardly less, however instants lie', () => {
    const rests = fc.double({ min: 10.01, max: 90, noNaN: true })
    // Aligned, and a refresh apart give or take an alignment.
    const steps = fc.array(fc.constantFrom(5, 10, 15), { minLength: 50, maxLength: 200 })
    fc.assert(
      fc.property(rests, steps, (restsForSeconds, apart) => {
        let at = 1_000
        const instants = apart.map((step) => {
          at += step
          return at
        })
        const asked = askedAt(instants, restsForSeconds)
        const [first = 0, last = 0] = [asked[0], instants.at(-1)]
        // So often it may be asked by then, the first time among them.
        expect(asked.length).toBeLessThanOrEqual(1 + (last - first) / restsForSeconds + 1e-9)
        // A refresh of jitter more than that is not held against it.
        expect(asked.length).toBeGreaterThanOrEqual((last - first) / (restsForSeconds + 5) - 1)
      }),
    )
  })

  test('has nothing saved up for not having been looked at for a while', () => {
    const asked = askedAt([1_000, 2_000, ...everyRefresh(8).map((at) => at + 1_010)], 30)
    expect(asked).toEqual([1_000, 2_000, 2_030, 2_060])
  })

  test('is asked at once where the clock was set back, and rests from then on', () => {
    expect(askedAt([1_000, 1_010, 400, 410, 420, 430], 30)).toEqual([1_000, 400, 430])
  })
})
