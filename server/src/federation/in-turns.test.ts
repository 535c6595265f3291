import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { allAtOnce, Pieces, type Turns } from '../domain/turns.ts'
import { inBetween, inTurns } from './in-turns.ts'

/** So many pieces that take so long each. */
function* work(pieces: number, milliseconds: number, done: number[] = []): Turns<string> {
  for (let piece = 0; piece < pieces; piece += 1) {
    const until = performance.now() + milliseconds
    while (performance.now() < until);
    done.push(piece)
    yield
  }
  return 'result'
}

function* giving<T>(result: () => T): Turns<T> {
  yield
  return result()
}

test('long work lets others have their turn', async () => {
  const done: number[] = []
  const seen: number[] = []
  const under = inTurns(work(20, 6, done))
  let over = false
  void under.then(() => {
    over = true
  })
  while (!over) {
    seen.push(done.length)
    await nextTurn()
  }
  expect(await under).toBe('result')
  // A piece of 6 ms is a turn, which is of 5 ms at least.
  expect(new Set(seen).size).toBeGreaterThanOrEqual(18)
})

test('it ends where nobody wants it any more', async () => {
  const leaving = new AbortController()
  const done: number[] = []
  const under = inTurns(work(1_000, 11, done), leaving.signal)
  leaving.abort(new Error('left'))
  await expect(under).rejects.toThrow('left')
  expect(done.length).toBeLessThanOrEqual(2)
})

test('what can wait is done when nothing is under way, one after the other in turns of their own', async () => {
  const told: string[] = []
  const [first, second] = [[], []] as [number[], number[]]
  const under = [inTurns(work(4, 11, first)), inTurns(work(8, 11, second))]
  const later = ['a', 'b'].map((name) =>
    inBetween(function* () {
      told.push(`${name} after ${first.length} and ${second.length}`)
      setImmediate(() => told.push(`a turn after ${name}`))
      return name
    }),
  )
  expect(await Promise.all(later)).toEqual(['a', 'b'])
  await Promise.all([...under, nextTurn()])
  expect(told).toEqual(['a after 4 and 8', 'a turn after a', 'b after 4 and 8', 'a turn after b'])
})

test('what can wait waits for what follows at once, too', async () => {
  const done: number[] = []
  const both = inTurns(work(3, 11)).then(() => inTurns(work(3, 11, done)))
  expect(await inBetween(() => giving(() => done.length))).toBe(3)
  await both
})

test('what can wait does not wait for ever', async () => {
  const leaving = new AbortController()
  const under = inTurns(work(100_000, 11), leaving.signal)
  expect(await inBetween(() => giving(() => 'later'), 0.05)).toBe('later')
  leaving.abort(new Error('left'))
  await expect(under).rejects.toThrow('left')
})

test('what fails in between holds up nobody after it', async () => {
  const broken = inBetween(() =>
    giving(() => {
      throw new Error('broken')
    }),
  )
  const next = inBetween(() => giving(() => 'next'))
  await expect(broken).rejects.toThrow('broken')
  expect(await next).toBe('next')
})

test('what can wait goes on in turns, and lets what is begun meanwhile go first', async () => {
  const [first, later] = [[], []] as [number[], number[]]
  const waiting = inBetween(() => work(6, 11, later))
  while (later.length < 2) await nextTurn()
  const reached = later.length
  await inTurns(work(8, 11, first))
  expect([first.length, later.length]).toEqual([8, reached])
  expect(await waiting).toBe('result')
})

test('many works at once hold up the event loop no longer than one', async () => {
  const under = Array.from({ length: 8 }, () => inTurns(work(6, 11)))
  let over = false
  void Promise.all(under).then(() => {
    over = true
  })
  let rounds = 0
  for (; !over; rounds += 1) await nextTurn()
  // Each piece is a turn, 48 of them: rounds with one of each work would be six.
  expect(rounds).toBeGreaterThan(40)
})

test('work that was given up leaves the way free', async () => {
  const leaving = new AbortController()
  const under = inTurns(work(1_000, 11), leaving.signal)
  const later = inBetween(() => giving(() => 'later'))
  leaving.abort(new Error('left'))
  await expect(under).rejects.toThrow('left')
  expect(await later).toBe('later')
})

test('what fails is told', async () => {
  await expect(
    inTurns(
      (function* (): Turns<never> {
        yield
        throw new Error('broken')
      })(),
    ),
  ).rejects.toThrow('broken')
})

test('at once is the same work without turns', () => {
  const done: number[] = []
  expect(allAtOnce(work(3, 0, done))).toBe('result')
  expect(done).toEqual([0, 1, 2])
})

test('a piece is so many items', () => {
  const pieces = new Pieces()
  const ends = Array.from({ length: 200 }, (_, item) => (pieces.ended ? [item] : [])).flat()
  expect(ends).toEqual([63, 127, 191])
})
