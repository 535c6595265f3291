import { expect, test } from 'vitest'
import { createChooser } from './behaviour.ts'

test('shares hold within a few dozen requests already', () => {
  const choose = createChooser()
  const counts = new Map<string, number>()
  const choices = [
    { host: 'a', share: 0.5 },
    { host: 'b', share: 0.3 },
    { host: 'c', share: 0.2 },
  ]
  for (let i = 0; i < 50; i++) {
    const host = choose(choices)?.host ?? ''
    counts.set(host, (counts.get(host) ?? 0) + 1)
  }
  for (const { host, share } of choices) expect(Math.abs((counts.get(host) ?? 0) - 50 * share)).toBeLessThanOrEqual(1)
})
