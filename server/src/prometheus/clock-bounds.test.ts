import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ClockBounds } from './clock-bounds.ts'

const START = 1_700_000_000

interface Answered {
  /** Seconds from question to `Date` header. */
  readonly wroteAfter?: number
  /** From there to us. */
  readonly tookBack?: number
  /** How far the clock that writes it is ahead of ours. */
  readonly ahead?: number
}

function note(bounds: ClockBounds, sentAt: number, { wroteAfter = 0, tookBack = 0, ahead = 0 }: Answered) {
  const date = new Date(Math.floor(sentAt + wroteAfter + ahead) * 1_000).toUTCString()
  bounds.note(date, sentAt, sentAt + wroteAfter + tookBack)
}

const seconds = (max: number) => fc.double({ min: 0, max, noNaN: true })
const calls = fc.array(fc.record({ gap: seconds(9), wroteAfter: seconds(2), tookBack: seconds(1) }), { minLength: 1 })

test('the true skew lies within what is told, of clocks that drift too', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1_000, max: 1_000, noNaN: true }),
      fc.double({ min: -1e-5, max: 1e-5, noNaN: true }),
      calls,
      (ahead, drift, all) => {
        const bounds = new ClockBounds()
        let sentAt = START
        for (const { gap, ...call } of all) {
          const wroteAt = sentAt + call.wroteAfter
          const aheadNow = ahead + drift * (wroteAt - START)
          note(bounds, sentAt, { ...call, ahead: aheadNow })
          const { seconds: told, withinSeconds } = bounds.skew ?? { seconds: Number.NaN, withinSeconds: Number.NaN }
          // Times of today are exact to less than a microsecond; the clock drifted on while the answer came back.
          expect(Math.abs(told - aheadNow)).toBeLessThanOrEqual(withinSeconds + 1e-6 + 1e-5 * call.tookBack)
          expect(withinSeconds).toBeLessThanOrEqual((call.wroteAfter + call.tookBack + 1) / 2 + 1e-6)
          sentAt = wroteAt + call.tookBack + gap
        }
      },
    ),
  )
})

test('answers at many parts of a second tell a clock to a few hundredths', () => {
  const bounds = new ClockBounds()
  expect(bounds.skew).toBeNull()
  note(bounds, START + 0.18, { tookBack: 0.005 })
  expect(bounds.skew?.withinSeconds).toBeCloseTo(0.5, 2)
  for (let call = 0; call < 50; call += 1) note(bounds, START + call * 1.02, { tookBack: 0.005 })
  expect(bounds.skew?.seconds).toBeCloseTo(0, 1)
  expect(bounds.skew?.withinSeconds).toBeLessThan(0.02)
})

test('a clock that is set is told anew at once', () => {
  const bounds = new ClockBounds()
  for (let call = 0; call < 50; call += 1) note(bounds, START + call * 1.02, {})
  note(bounds, START + 60, { ahead: -300 })
  expect(bounds.skew?.seconds).toBeCloseTo(-299.5, 0)
  expect(bounds.skew?.withinSeconds).toBeCloseTo(0.5, 1)
})

test('what tells no time, or went by while our clock was set back, is passed over', () => {
  const bounds = new ClockBounds()
  bounds.note('', START, START)
  bounds.note('yesterday', START, START)
  bounds.note(new Date(START * 1_000).toUTCString(), START + 60, START)
  expect(bounds.skew).toBeNull()
})
