import { beforeEach, expect, test } from 'vitest'
import { createLogger } from './logger.ts'
import { createStoreLog } from './store-log.ts'

let nowSeconds: number
let lines: string[]
let note: (why: string | null) => void
beforeEach(() => {
  nowSeconds = 1_000_000
  lines = []
  const write = (line: string) => {
    const { msg, why } = JSON.parse(line) as { msg: string; why?: string }
    lines.push(why ?? msg)
  }
  note = createStoreLog(createLogger({ level: 'debug' }, { write }), () => nowSeconds)
})

const AGAIN = 'the store of links answers again'

test('a store that is well is not spoken of', () => {
  note(null)
  expect(lines).toEqual([])
})

test('each cause once a minute, however many ask, and that it answers again', () => {
  for (let asked = 0; asked < 1_000; asked += 1) note(asked % 2 === 0 ? 'refuses connections' : 'cannot be reached')
  expect(lines).toEqual(['refuses connections', 'cannot be reached'])
  note(null)
  note(null)
  expect(lines.slice(2)).toEqual([AGAIN])
})

test('one that lasts is told again each minute; one that comes and goes fills no disk', () => {
  for (; nowSeconds < 1_000_000 + 180; nowSeconds += 1) note('refuses connections')
  expect(lines).toHaveLength(3)
  lines.splice(0)
  for (; nowSeconds < 1_000_000 + 360; nowSeconds += 1) note(nowSeconds % 2 === 0 ? null : 'broke the connection')
  expect(lines.length).toBeGreaterThanOrEqual(4)
  expect(lines.length).toBeLessThanOrEqual(8)
})

test('a clock that is set back silences nothing', () => {
  note('refuses connections')
  nowSeconds -= 3_600
  note('refuses connections')
  expect(lines).toEqual(['refuses connections', 'refuses connections'])
})
