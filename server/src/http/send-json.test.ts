import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { isSendingJson, sendJson } from './send-json.ts'

const request = { get: () => undefined, acceptsEncodings: () => false } as unknown as Request

function responseThat(end: () => void): Response {
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
