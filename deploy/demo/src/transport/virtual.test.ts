import { expect, test } from 'vitest'
import { createTimerQueue } from './timer-queue.ts'
import { createVirtualTransport } from './virtual.ts'

const signal = new AbortController().signal

test('timers come in the order of their time, then of their setting; cancelled ones never', () => {
  const queue = createTimerQueue()
  const order: string[] = []
  const add = (atMs: number, name: string) => queue.add(atMs, () => order.push(name))
  const times = Array.from({ length: 50 }, (_, i) => (i * 37) % 50)
  for (const at of times) add(at, `t${at}`)
  add(7, 'later t7')
  add(7.5, 'never')()
  for (let next = queue.takeUntil(48); next; next = queue.takeUntil(48)) next.run()
  const expected = Array.from({ length: 49 }, (_, i) => `t${i}`).flatMap((name) =>
    name === 't7' ? [name, 'later t7'] : [name],
  )
  expect(order).toEqual(expected)
})

test('an hour passes at once, and a request takes its virtual time', async () => {
  const transport = createVirtualTransport()
  const { port } = await transport.listen((request, reply) => {
    transport.after(1000, () => reply.answer(200, request.path))
  })
  let took = 0
  transport.send({
    pool: transport.pool(),
    port,
    path: '/x',
    headers: {},
    onResponse: ({ body, firstByteAtMs }) => {
      expect(body).toBe('/x')
      took = firstByteAtMs
    },
    onFailure: () => expect.unreachable(),
  })
  await transport.pass(3_600_000, signal)
  expect(transport.nowMs()).toBe(3_600_000)
  expect(took).toBeGreaterThan(1000)
  expect(took).toBeLessThan(1002)
})

test('a cancelled request tells the one who works on it, and nobody else', async () => {
  const transport = createVirtualTransport()
  let abandoned = 0
  const { port } = await transport.listen((_request, reply) => {
    reply.onAbandoned(() => {
      abandoned++
    })
    transport.after(1000, () => reply.answer(200, ''))
  })
  const fail = () => expect.unreachable()
  const cancel = transport.send({
    pool: transport.pool(),
    port,
    path: '/',
    headers: {},
    onResponse: fail,
    onFailure: fail,
  })
  await transport.pass(100, signal)
  cancel()
  await transport.pass(5000, signal)
  expect(abandoned).toBe(1)
})
