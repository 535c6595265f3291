import { describe, expect, test } from 'vitest'
import type { Dialect } from '../dialects/dialect.ts'
import { linkerd } from '../dialects/linkerd.ts'
import { emptyObservation } from '../domain/observation.ts'
import type { Turns } from '../domain/turns.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { PlainSample } from '../prometheus/plain-sample.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { type Answered, askNow, unasked } from './ask-now.ts'
import { LostAnswers } from './lost-answers.ts'
import { oneOfMany } from './one-of-many.ts'
import type { LastGood } from './reading-view.ts'

const AT = 10_000
const GOOD_FOR_SECONDS = 900
/** When it told something last, and when everything. */
const told = (atSeconds: number | null, wholeAt: number | null = atSeconds) => ({
  goodOf: () => (atSeconds === null ? null : ({ atSeconds, seriesRead: 3 } as LastGood)),
  wholeAt: () => wholeAt,
  goodForSeconds: GOOD_FOR_SECONDS,
})
const at = (atSeconds: number) => ({ atSeconds, windowSeconds: 60 })
const gone = new UpstreamError('unreachable', 'its store 127.0.0.1:1 does not answer: connection refused')

/** Series by question; null: nothing, while a store did not answer. */
function answered(questions: Readonly<Record<string, number | null>>): Answered {
  const list = Object.entries(questions)
  return {
    ...unasked('far'),
    questions: list.map(([name, series]) => ({ name, series: series ?? 0, doubt: series === null ? gone : null })),
    seriesRead: list.reduce((sum, [, series]) => sum + (series ?? 0), 0),
  }
}

describe('nothing, while a store does not answer that others were answered without', () => {
  test('is lost where there was something', () => {
    const lost = new LostAnswers()
    expect(lost.reasonOf(answered({ requests: 2, times: 1, egress: 0 }), told(null), at(AT))).toBeNull()
    const half = answered({ requests: 2, times: null, egress: null })
    expect(lost.reasonOf(half, told(AT), at(AT + 10))).toBe(gone)
    // For as long as what was good may stand in for it.
    expect(lost.reasonOf(half, told(AT), at(AT + GOOD_FOR_SECONDS))).toBe(gone)
  })

  test('is nothing where there was nothing: a replica is down, and the other one has all there was', () => {
    const lost = new LostAnswers()
    lost.reasonOf(answered({ requests: 2, egress: 0 }), told(null), at(AT))
    expect(lost.reasonOf(answered({ requests: 2, egress: null }), told(AT), at(AT + 10))).toBeNull()
  })

  test('is nothing once the last good values are too old, and from then on', () => {
    const lost = new LostAnswers()
    lost.reasonOf(answered({ requests: 2, times: 1 }), told(null), at(AT))
    const half = answered({ requests: 2, times: null })
    const later = AT + GOOD_FOR_SECONDS + 1
    expect(lost.reasonOf(half, told(AT), at(later))).toBeNull()
    expect(lost.reasonOf(half, told(later), at(later + 10))).toBeNull()
  })

  test('is nothing where traffic had ended before', () => {
    const lost = new LostAnswers()
    lost.reasonOf(answered({ requests: 2, egress: 1 }), told(null), at(AT))
    lost.reasonOf(answered({ requests: 2, egress: 0 }), told(AT), at(AT + 10))
    expect(lost.reasonOf(answered({ requests: 2, egress: null }), told(AT + 10), at(AT + 20))).toBeNull()
  })
})

test('an endpoint that went away in between leaves no answer, one that was slow does', () => {
  const failing = (error: UpstreamError) => ({ ...answered({ requests: 2 }), failures: [{ question: 'times', error }] })
  const lost = new LostAnswers()
  expect(lost.reasonOf(failing(gone), told(AT), at(AT + 10))).toBe(gone)
  expect(lost.reasonOf(failing(new UpstreamError('timeout', 'late')), told(AT), at(AT + 10))).toBeNull()
  expect(lost.reasonOf(failing(gone), told(null), at(AT))).toBeNull()
})

test('what was not answered for too long hides nothing, and what was told without it is still held against', () => {
  const lost = new LostAnswers()
  const failing = { ...answered({ requests: 2 }), failures: [{ question: 'times', error: gone }] }
  const last = told(AT, AT - GOOD_FOR_SECONDS)
  expect(lost.reasonOf(failing, last, at(AT))).toBe(gone)
  expect(lost.reasonOf(failing, last, at(AT + 10))).toBeNull()
  expect(lost.reasonOf(answered({ requests: null }), last, at(AT + 20))).toBe(gone)
  expect(lost.reasonOf(failing, told(AT, null), at(AT + 10))).toBeNull()
})

test('no series at all, where there were some, are lost', () => {
  const lost = new LostAnswers()
  expect(lost.reasonOf(answered({ requests: 0 }), told(AT), at(AT + 10))?.kind).toBe('empty')
  expect(lost.reasonOf(answered({ requests: 0 }), told(null), at(AT))).toBeNull()
})

function* piecesOf<T>(whole: T): Turns<T> {
  yield
  return whole
}

test('a store that goes between two looks of one question leaves no answer', async () => {
  const REFUSED =
    'fetch series for {cluster="far"} Addr: 127.0.0.1:1 MinTime: 1 MaxTime: 2: rpc error: code = Unavailable desc = refused'
  const dialect: Dialect = { ...linkerd, reading: (cluster, steps) => piecesOf(emptyObservation(cluster, steps)) }
  const questions = ['requests', 'times'].map((name) => ({ name, promql: name, lane: 'fast' as const }))
  const sample = new PlainSample({ namespace: 'shop' }, {}, 1)
  const ask = (answers: Readonly<Record<string, { data: readonly PlainSample[]; warnings: readonly string[] }>>) => {
    const query = async (promql: string) => Object.entries(answers).find(([name]) => promql.includes(name))?.[1]
    const matcher = { label: 'cluster', op: '=', value: 'far' } as const
    const api = { query } as unknown as PrometheusApi
    const one = oneOfMany(api, { matcher, absence: () => null, confirmedAbsence: async () => null })
    return askNow(one, 'far', [dialect], () => questions, AT, new AbortController().signal) as Promise<Answered>
  }
  const lost = new LostAnswers()
  const whole = { data: [sample], warnings: [] }
  expect(lost.reasonOf(await ask({ requests: whole, times: whole }), told(null), at(AT))).toBeNull()
  // Of "a or b" the first was looked up before it went, the second after.
  const half = await ask({
    requests: { data: [sample], warnings: [REFUSED] },
    times: { data: [], warnings: [REFUSED] },
  })
  expect(half.failures).toEqual([])
  expect(lost.reasonOf(half, told(AT), at(AT + 10))?.message).toBe('its store 127.0.0.1:1 does not answer: refused')
})

test('where nothing is left because the rest could not be read, it is said why', () => {
  const lost = new LostAnswers()
  const error = new UpstreamError('malformed', 'the answer is not UTF-8')
  const unread = { ...answered({ egress: 0 }), failures: [{ question: 'requests', error }] }
  expect(lost.reasonOf(unread, told(AT), at(AT + 10))).toBe(error)
  expect(lost.reasonOf(answered({ egress: 0 }), told(AT), at(AT + 10))?.message).toContain(
    'none of the 3 series it had',
  )
})
