import { expect, test } from 'vitest'
import { certificateWords } from './certificate-words.ts'

const at = Date.UTC(2026, 10, 21, 3, 31)

test.each([
  ['2027-03-04T00:00:00Z', 'good until 2027-03-04 00:00:00 UTC, 102 days from now', null],
  ['2026-12-05T03:30:59Z', 'good until 2026-12-05 03:30:59 UTC, 13 days from now', expect.stringMatching(/^renew it/)],
  ['2026-12-05T03:31:00Z', 'good until 2026-12-05 03:31:00 UTC, 14 days from now', null],
  ['2026-11-21T10:00:00Z', 'good until 2026-11-21 10:00:00 UTC, less than a day from now', expect.any(String)],
  ['2026-11-20T03:31:00Z', 'expired 2026-11-20 03:31:00 UTC, 1 day ago', 'renew it'],
])('%s', (endsAt, text, advice) => {
  expect(certificateWords(endsAt, at)).toEqual({ text, advice })
})

test('without TLS there is nothing to say', () => {
  expect(certificateWords(null, at)).toBeNull()
  expect(certificateWords(undefined, at)).toBeNull()
})
