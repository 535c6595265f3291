import { expect, test } from 'vitest'
import { atLeisure, pollEvery, untilAnswered } from './polling.ts'
import { ApiProblem } from './problem.ts'
import { queriesQuery } from './workload-parts.ts'

const problem = (status: number) => new ApiProblem({ type: 'about:blank', title: 'x', status, requestId: '' })
const asked = (error: Error | null, data?: { snapshot: never }) => ({ state: { data, error } })
const answered = { snapshot: { refreshSeconds: 7 } as never }

test('what does not go on with time is asked again until it was answered, where that can come', () => {
  for (const silent of [problem(0), problem(503), new TypeError('fetch failed')])
    expect([untilAnswered(asked(silent)), pollEvery({ scope: {}, live: false })(asked(silent))]).toEqual([5_000, 5_000])
  expect(untilAnswered(asked(problem(404)))).toBe(false)
  expect(untilAnswered(asked(null))).toBe(false)
  expect(untilAnswered(asked(null, answered))).toBe(false)
})

test('a refresh that failed is tried again, also where there is an answer from before', () => {
  for (const asking of [untilAnswered, pollEvery({ scope: {}, live: false })]) {
    expect(asking(asked(problem(0), answered))).toBe(5_000)
    expect(asking(asked(problem(404), answered))).toBe(false)
  }
})

test('a link that says how often is asked no more often than that, and never more often than there is anything new', () => {
  const every = (everySeconds: number) => pollEvery({ scope: {}, live: true, everySeconds })(asked(null, answered))
  expect([every(30), every(7), every(1)]).toEqual([30_000, 7_000, 7_000])
  expect(atLeisure(60_000, { scope: {}, live: true, everySeconds: 90 })(asked(null))).toBe(90_000)
  expect(atLeisure(60_000, { scope: {}, live: true, everySeconds: 30 })(asked(null))).toBe(60_000)
})

test('what failed, or is to come in some seconds, is not left for as long as a link says', () => {
  const hourly = { scope: {}, live: true, everySeconds: 3_600 }
  const pending = { ...answered, clusters: [{ state: 'ok' }, { state: 'pending' }] as never }
  expect(pollEvery(hourly)(asked(null, answered))).toBe(3_600_000)
  expect(pollEvery(hourly)(asked(problem(503), answered))).toBe(7_000)
  expect(pollEvery(hourly)(asked(problem(503)))).toBe(10_000)
  expect(pollEvery(hourly)(asked(null, pending))).toBe(7_000)
  expect(atLeisure(60_000, hourly)(asked(problem(503)))).toBe(60_000)
})

test('the queries behind the numbers are asked again until they are there', () => {
  const { refetchInterval } = queriesQuery(
    { cluster: 'east', namespace: 'shop', name: 'web' },
    { scope: {}, live: true },
  )
  expect(refetchInterval).toBe(untilAnswered)
})

test('a range that ends ahead of the server is asked for again, as that passes by itself', () => {
  const ahead = { pointer: '/query/to', detail: 'lies in the future' }
  const refused = (errors: { pointer: string; detail: string }[]) =>
    new ApiProblem({ type: 'about:blank', title: 'x', status: 400, requestId: '', errors })
  expect(untilAnswered(asked(refused([ahead])))).toBe(5_000)
  expect(untilAnswered(asked(refused([{ ...ahead, detail: 'is no time' }])))).toBe(false)
  expect(untilAnswered(asked(refused([{ ...ahead, pointer: '/query/cmp' }])))).toBe(false)
})

test('what is live is asked as often as the server has anything new', () => {
  expect(pollEvery({ scope: {}, live: true })(asked(null, answered))).toBe(7_000)
  expect(pollEvery({ scope: {}, live: true })(asked(problem(404)))).toBe(10_000)
  expect(atLeisure(60_000, { scope: {}, live: true })(asked(null))).toBe(60_000)
  expect(atLeisure(60_000, { scope: {}, live: false })(asked(problem(0)))).toBe(5_000)
})
