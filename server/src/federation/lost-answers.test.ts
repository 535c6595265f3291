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
const good = (atSeconds: number) => ({ atSeconds, windowSeconds: 60, seriesRead: 3 }) as LastGood
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
    expect(lost.reasonOf(answered({ requests: 2, times: 1, egress: 0 }), null, at(AT), GOOD_FOR_SECONDS)).toBeNull()
    const half = answered({ requests: 2, times: null, egress: null })
    expect(lost.reasonOf(half, good(AT), at(AT + 10), GOOD_FOR_SECONDS)).toBe(gone)
    // For as long as what was good may stand in for it.
    expect(lost.reasonOf(half, good(AT), at(AT + GOOD_FOR_SECONDS), GOOD_FOR_SECONDS)).toBe(gone)
  })

  test('is nothing where there was nothing: a replica is down, and the other one has all there was', () => {
    const lost = new LostAnswers()
    lost.reasonOf(answered({ requests: 2, egress: 0 }), null, at(AT), GOOD_FOR_SECONDS)
    expect(lost.reasonOf(answered({ requests: 2, egress: null }), good(AT), at(AT + 10), GOOD_FOR_SECONDS)).toBeNull()
  })

  test('is nothing once the last good values are too old, and from then on', () => {
    const lost = new LostAnswers()
    lost.reasonOf(answered({ requests: 2, times: 1 }), null, at(AT), GOOD_FOR_SECONDS)
    const half = answered({ requests: 2, times: null })
    const later = AT + GOOD_FOR_SECONDS + 1
    expect(lost.reasonOf(half, good(AT), at(later), GOOD_FOR_SECONDS)).toBeNull()
    expect(lost.reasonOf(half, good(later), at(later + 10), GOOD_FOR_SECONDS)).toBeNull()
  })

  test('is nothing where traffic had ended before', () => {
    const lost = new LostAnswers()
    lost.reasonOf(answered({ requests: 2, egress: 1 }), null, at(AT), GOOD_FOR_SECONDS)
    lost.reasonOf(answered({ requests: 2, egress: 0 }), good(AT), at(AT + 10), GOOD_FOR_SECONDS)
    expect(
      lost.reasonOf(answered({ requests: 2, egress: null }), good(AT + 10), at(AT + 20), GOOD_FOR_SECONDS),
    ).toBeNull()
  })
})

test('an endpoint that went away in between leaves no answer, one that was slow does', () => {
  const failing = (error: UpstreamError) => ({ ...answered({ requests: 2 }), failures: [{ question: 'times', error }] })
  const lost = new LostAnswers()
  expect(lost.reasonOf(failing(gone), good(AT), at(AT + 10), GOOD_FOR_SECONDS)).toBe(gone)
  expect(
    lost.reasonOf(failing(new UpstreamError('timeout', 'late')), good(AT), at(AT + 10), GOOD_FOR_SECONDS),
  ).toBeNull()
  expect(lost.reasonOf(failing(gone), null, at(AT), GOOD_FOR_SECONDS)).toBeNull()
})

test('no series at all, where there were some, are lost', () => {
  const lost = new LostAnswers()
  expect(lost.reasonOf(answered({ requests: 0 }), good(AT), at(AT + 10), GOOD_FOR_SECONDS)?.kind).toBe('empty')
  expect(lost.reasonOf(answered({ requests: 0 }), null, at(AT), GOOD_FOR_SECONDS)).toBeNull()
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
  expect(lost.reasonOf(await ask({ requests: whole, times: whole }), null, at(AT), GOOD_FOR_SECONDS)).toBeNull()
  // Of "a or b" the first was looked up before it went, the second after.
  const half = await ask({
    requests: { data: [sample], warnings: [REFUSED] },
    times: { data: [], warnings: [REFUSED] },
  })
  expect(half.failures).toEqual([])
  expect(lost.reasonOf(half, good(AT), at(AT + 10), GOOD_FOR_SECONDS)?.message).toBe(
    'its store 127.0.0.1:1 does not answer: refused',
  )
})

test('where nothing is left because the rest could not be read, it is said why', () => {
  const lost = new LostAnswers()
  const error = new UpstreamError('malformed', 'the answer is not UTF-8')
  const unread = { ...answered({ egress: 0 }), failures: [{ question: 'requests', error }] }
  expect(lost.reasonOf(unread, good(AT), at(AT + 10), GOOD_FOR_SECONDS)).toBe(error)
  expect(lost.reasonOf(answered({ egress: 0 }), good(AT), at(AT + 10), GOOD_FOR_SECONDS)?.message).toContain(
    'none of the 3 series it had',
  )
})
