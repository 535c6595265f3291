import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseInParts } from './parse-in-parts.ts'

const schema = z.object({ id: z.string(), rows: z.array(z.object({ at: z.number() })) })
const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ at, more: 'is left out' }))

test.each([0, 3, 200, 201, 1_000])('%s rows read in parts are the rows read at once', async (count) => {
  const body = { id: 'a', rows: rows(count), more: 1 }
  expect(await parseInParts(schema, body)).toEqual(schema.safeParse(body))
})

test.each<[string, unknown]>([
  ['a row of many', { id: 'a', rows: [...rows(700), { at: 'late' }] }],
  ['something beside many', { id: 1, rows: rows(700) }],
  ['the list itself', { id: 'a', rows: 'none' }],
  ['all of it', null],
])('%s that does not fit is refused', async (_, body) => {
  expect((await parseInParts(schema, body)).success).toBe(false)
})
