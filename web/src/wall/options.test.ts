import { expect, test } from 'vitest'
import { isNight, problemsWith, readOptions } from './options.ts'

const CLUSTERS = ['east', 'west', 'north']

test.each([
  { search: '', problems: [], inch: 55 },
  { search: '?inch=65&dist=5&night=21-6&pages=east+west,north&theme=light&rotate=30&safe=0', problems: [], inch: 65 },
  { search: '?inch=large', problems: ['inch=large: use 5 to 500'], inch: 55 },
  {
    search: '?dist=400&night=late&pages=est,west',
    problems: ['dist=400: use 0.3 to 60', 'night=late: use 21-6', 'pages: there is no cluster est'],
    inch: 55,
  },
])('the address $search: what does not fit is said, and left out', ({ search, problems, inch }) => {
  const options = readOptions(search)
  expect(problemsWith(options, CLUSTERS)).toEqual(problems)
  expect(options.inch).toBe(inch)
})

test.each([
  { night: { from: 21, to: 6 }, dimmed: [21, 23, 0, 5], bright: [6, 12, 20] },
  { night: { from: 1, to: 5 }, dimmed: [1, 4], bright: [0, 5, 23] },
  { night: null, dimmed: [], bright: [0, 12] },
])('night $night', ({ night, dimmed, bright }) => {
  for (const hour of dimmed) expect(isNight(night, hour)).toBe(true)
  for (const hour of bright) expect(isNight(night, hour)).toBe(false)
})
