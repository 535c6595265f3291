import { expect, test } from 'vitest'
import { createRequestLog, type RequestNote } from './request-log.ts'

function note(atSeconds: number, outcome: RequestNote['outcome'] = 'ok'): RequestNote {
  return { atSeconds, kind: 'instant', question: 'inbound', seconds: 0.1, bytes: 10, outcome, detail: null }
}

test('the last hundred are kept, newest first', () => {
  const log = createRequestLog()
  for (let at = 0; at < 130; at += 1) log.note(note(at))
  const kept = log.recent().map(({ atSeconds }) => atSeconds)
  expect(kept).toHaveLength(100)
  expect(kept.slice(0, 2)).toEqual([129, 128])
  expect(kept.at(-1)).toBe(30)
})

test('of the last hour it counts what was answered and what was not; who left and what was refused says nothing ill', () => {
  const log = createRequestLog()
  log.note(note(0, 'timeout'))
  log.note(note(30 * 60))
  for (const outcome of ['ok', 'rejected', 'unreachable', 'aborted'] as const) log.note(note(59 * 60, outcome))
  expect(log.lastHour(59 * 60)).toEqual({ answered: 3, failed: 2 })
  expect(log.lastHour(60 * 60)).toEqual({ answered: 3, failed: 1 })
  expect(log.lastHour(100 * 60)).toEqual({ answered: 2, failed: 1 })
  expect(log.lastHour(300 * 60)).toEqual({ answered: 0, failed: 0 })
})
