import fc from 'fast-check'
import { expect, it } from 'vitest'
import { allWithDigits, withDigits } from './digits.ts'

const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })

it('is off by half of the last digit at most', () => {
  fc.assert(
    fc.property(finite, fc.integer({ min: 2, max: 12 }), (value, digits) => {
      // Below that, powers of ten are not exact: the number stays as it is.
      const kept = withDigits(value, digits)
      expect(Math.abs(kept - value)).toBeLessThanOrEqual(Math.abs(value) * 0.51 * 10 ** (1 - digits))
    }),
  )
})

it('writes no more digits than asked for', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: 1e-9, max: 1e12 }), fc.integer({ min: 2, max: 10 }), (value, digits) => {
      const [mantissa = ''] = `${withDigits(value, digits)}`.split('e')
      expect(mantissa.replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length).toBeLessThanOrEqual(digits)
    }),
  )
})

it('leaves what is no number, and nothing, alone', () => {
  const given = { a: 0.123456789, b: [1 / 3, null], c: { text: '0.123456789' }, d: Number.NaN, e: 0 }
  expect(allWithDigits(given, 3)).toEqual({
    a: 0.123,
    b: [0.333, null],
    c: { text: '0.123456789' },
    d: Number.NaN,
    e: 0,
  })
})
