import { expect, test } from 'vitest'
import { SharedReads } from './shared-reads.ts'

function counted() {
  const begun: { signal: AbortSignal; finish: (text: string) => void; fail: (error: Error) => void }[] = []
  const work = (signal: AbortSignal) =>
    new Promise<string>((finish, fail) => {
      begun.push({ signal, finish, fail })
    })
  return { begun, work }
}

test('those who ask for the same while it is read, or right after, share one read', async () => {
  const { begun, work } = counted()
  const reads = new SharedReads<string>(60_000)
  const { signal } = new AbortController()
  const both = [reads.read('x', signal, work), reads.read('x', signal, work)]
  begun[0]?.finish('read')
  expect(await Promise.all(both)).toEqual(['read', 'read'])
  expect(await reads.read('x', signal, work)).toBe('read')
  expect(begun).toHaveLength(1)
  void reads.read('y', signal, work)
  expect(begun).toHaveLength(2)
})

test('one who leaves takes nothing from the others; when the last one leaves it is given up', async () => {
  const { begun, work } = counted()
  const reads = new SharedReads<string>(60_000)
  const [one, other] = [new AbortController(), new AbortController()]
  const first = reads.read('x', one.signal, work).catch((error: Error) => error.message)
  const second = reads.read('x', other.signal, work).catch((error: Error) => error.message)
  one.abort()
  expect(await first).toMatch(/nobody waits/)
  expect(begun[0]?.signal.aborted).toBe(false)
  other.abort()
  expect(await second).toMatch(/nobody waits/)
  expect(begun[0]?.signal.aborted).toBe(true)
  void reads.read('x', new AbortController().signal, work)
  expect(begun).toHaveLength(2)
})

test('what failed is asked again', async () => {
  const { begun, work } = counted()
  const reads = new SharedReads<string>(60_000)
  const { signal } = new AbortController()
  const failed = reads.read('x', signal, work)
  begun[0]?.fail(new Error('no'))
  await expect(failed).rejects.toThrow('no')
  const again = reads.read('x', signal, work)
  begun[1]?.finish('yes')
  expect(await again).toBe('yes')
})
