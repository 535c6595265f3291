import { expect, test } from 'vitest'
import { resolveScope } from './scope-of.ts'

const NOW = 1_800_000_004

test('who looks at an hour ago within one refresh means the same instant, and a given one is left as it is', () => {
  const instant = (to: string | undefined, nowSeconds: number) =>
    resolveScope(to === undefined ? {} : { to }, nowSeconds, null, 10).wanted.atSeconds
  expect(instant('now-1h', NOW)).toBe(1_799_996_400)
  expect(instant('now-1h', NOW + 5.5)).toBe(1_799_996_400)
  expect(instant('now-1h', NOW + 6)).toBe(1_799_996_410)
  expect(instant('1799996403', NOW)).toBe(1_799_996_403)
  expect(instant('now', NOW)).toBeNull()
  expect(instant(undefined, NOW)).toBeNull()
})
