import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isSendingJson, sendJson } from './send-json.ts'
import { Tabled, Written } from './written.ts'

const request = { get: () => undefined, acceptsEncodings: () => false } as unknown as Request

function responseThat(end: (json: Buffer) => void): Response {
  const response = { set: () => response, type: () => response, end } as unknown as Response
  return response
}

test('an answer is under way until it was sent', async () => {
  const ended: boolean[] = []
  const sending = sendJson(
    request,
    responseThat(() => void ended.push(isSendingJson())),
    { a: 1 },
  )
  expect(isSendingJson()).toBe(true)
  await sending
  expect(ended).toEqual([true])
  expect(isSendingJson()).toBe(false)
})

test('one that cannot be sent is not under way for ever', async () => {
  const broken = responseThat(() => {
    throw new Error('gone')
  })
  await expect(sendJson(request, broken, { a: 1 })).rejects.toThrow('gone')
  expect(isSendingJson()).toBe(false)
})

test('others have their turn while the rows of a table are made, long before the first of it is written', async () => {
  let turns = 0
  let under = true
  const count = () => {
    turns += 1
    if (under) setImmediate(count)
  }
  const Row = z.object({ turns: z.number() })
  const rows = new Tabled(Row, function* () {
    for (let row = 0; row < 20; row += 1) {
      const until = performance.now() + 3
      while (performance.now() < until);
      yield { turns }
    }
  })
  setImmediate(count)
  const sent: string[] = []
  const response = responseThat((json) => void sent.push(String(json)))
  await sendJson(request, response, new Written<{ rows: { turns: number }[] }>({ rows }))
  under = false
  const seen: number[] = JSON.parse(sent[0] ?? '').rows.columns.turns
  // Every other row takes the five milliseconds over.
  expect(new Set(seen).size).toBeGreaterThanOrEqual(8)
})
