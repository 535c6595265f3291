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

test.each([
  [{ to: 'now-200000000d' }, 'to', 'now-200000000d lies before 1970'],
  [{ from: 'now-90000d' }, 'from', 'now-90000d lies before 1970'],
  [{ to: '1969-07-20T20:17:40Z' }, 'to', 'lies before 1970'],
  [{ to: 'now-1.2.3h' }, 'to', 'now-1.2.3h is not a time: use RFC 3339'],
  [{ cmp: 'now-200000000d/30m' }, 'cmp', 'lies before 1970'],
  [{ cmp: 'now-1.2.3h/30m' }, 'cmp', 'is not a time'],
  [{ to: '99999999999' }, 'to', 'lies in the future'],
])('%j is refused, before any cluster is asked', (scope, name, detail) => {
  expect(() => resolveScope(scope, NOW, null)).toThrow(
    expect.objectContaining({ errors: [{ pointer: `/query/${name}`, detail: expect.stringContaining(detail) }] }),
  )
})
