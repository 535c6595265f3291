import { expect, test } from 'vitest'
import { secondsToWait } from './retry-after.ts'

test.each([
  { retryAfter: '7', seconds: 7 },
  { retryAfter: ' 1234567 ', seconds: 1_234_567 },
  { retryAfter: '86400000', seconds: 86_400_000 },
  { retryAfter: '12345678901234567890', seconds: Number.MAX_SAFE_INTEGER },
  { retryAfter: '9'.repeat(400), seconds: Number.MAX_SAFE_INTEGER },
  { retryAfter: '1.5', seconds: null },
])('Retry-After: $retryAfter', ({ retryAfter, seconds }) => {
  expect(secondsToWait({ retryAfter, date: '', receivedAtSeconds: 1_000 })).toBe(seconds)
})
