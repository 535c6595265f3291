import { expect, test } from 'vitest'
import { SoftDeadline } from './soft-deadline.ts'

/** Work that ends when it is told to, or given up. */
function work() {
  const begun: AbortSignal[] = []
  let finish: (answer: string) => void = () => undefined
  const begin = (_tell: unknown, signal: AbortSignal) => {
    begun.push(signal)
    return new Promise<string>((resolve, reject) => {
      finish = resolve
      signal.addEventListener('abort', () => reject(new Error('given up')))
    })
  }
  return { begun, begin, finish: (answer: string) => finish(answer) }
}

test('one who leaves takes nothing from the others who joined', async () => {
  const deadline = new SoftDeadline<string>(60)
  const { begun, begin, finish } = work()
  const [first, second] = [new AbortController(), new AbortController()]
  const waiting = [first, second].map(({ signal }) => deadline.wait(60, 1, signal, begin))
  first.abort()
  finish('whole')
  for (const one of waiting) expect(await one).toMatchObject({ inTime: 'whole' })
  expect(begun).toHaveLength(1)
})

test('when all have left it is given up, and whoever comes then begins anew', async () => {
  const deadline = new SoftDeadline<string>(60)
  const { begun, begin, finish } = work()
  const leaving = new AbortController()
  const left = deadline.wait(60, 1, leaving.signal, begin)
  leaving.abort()
  const next = deadline.wait(60, 1, new AbortController().signal, begin)
  await expect(left).rejects.toThrow('given up')
  finish('anew')
  expect(await next).toMatchObject({ inTime: 'anew' })
  expect(begun.map(({ aborted }) => aborted)).toEqual([true, false])
  expect(deadline.waiting).toBe(false)
})

test('work that was given up is not late', async () => {
  const deadline = new SoftDeadline<string>(0)
  const { begin } = work()
  const leaving = new AbortController()
  await deadline.wait(60, 1, leaving.signal, begin)
  expect(deadline.late(60)).not.toBeNull()
  // It would be taken for what it is not.
  expect(deadline.late(300)).toBeNull()
  leaving.abort()
  expect(deadline.late(60)).toBeNull()
})
