import { expect, test } from 'vitest'
import { readOptions } from './options.ts'
import { capPx, heightMm, unitPx } from './size.ts'

const HD = { width: 1_920, height: 1_080 }

/** The table of the design: a font with capitals of 0.727 em; pixels at 1080 lines. */
test.each([
  { inch: 55, distanceMetres: 3, px: 38 },
  { inch: 55, distanceMetres: 4, px: 50 },
  { inch: 55, distanceMetres: 6, px: 76 },
  { inch: 65, distanceMetres: 4, px: 43 },
  { inch: 65, distanceMetres: 6, px: 64 },
  { inch: 75, distanceMetres: 5, px: 46 },
])('$inch inches from $distanceMetres m: a font of $px pixels', ({ inch, distanceMetres, px }) => {
  // The table is rounded, and its vh before that.
  expect(Math.abs(unitPx({ inch, distanceMetres, ...HD }, 0.727) - px)).toBeLessThan(1)
})

test('the same angle whatever the resolution, and upright as across', () => {
  const screen = { inch: 55, distanceMetres: 4 }
  const hd = capPx({ ...screen, ...HD }, 20)
  expect(capPx({ ...screen, width: 3_840, height: 2_160 }, 20)).toBeCloseTo(2 * hd, 9)
  expect(capPx({ ...screen, width: 1_080, height: 1_920 }, 20)).toBeCloseTo(hd, 9)
  expect(heightMm(4, 20)).toBeCloseTo(23.27, 2)
})

test('an address that says nonsense is as if it said nothing', () => {
  const usual = readOptions('')
  const nonsense = readOptions('?inch=-3&dist=abc&rotate=1&night=25-6&safe=50&theme=pink&pages=,')
  expect({ ...nonsense, problems: [] }).toEqual(usual)
  expect(nonsense.problems).toHaveLength(6)
  expect(usual).toMatchObject({ inch: 55, dist: 4, rotate: 15, night: null, safe: 2.5, theme: 'dark', pages: null })
  expect(readOptions('?pages=east+west,north&night=21-6').pages).toEqual([['east', 'west'], ['north']])
})
