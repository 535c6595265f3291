import { expect, test } from 'vitest'
import type { Dialect } from '../dialects/dialect.ts'
import { linkerd } from '../dialects/linkerd.ts'
import { emptyObservation, type Observation } from '../domain/observation.ts'
import type { Turns } from '../domain/turns.ts'
import { type CollectedNow, readNow } from './ask-now.ts'

/** Answers that take so many turns to be read. */
function collected(turns: number): CollectedNow {
  function* reading(cluster: string, steps: number): Turns<Observation> {
    for (let turn = 0; turn < turns; turn += 1) {
      const until = performance.now() + 11
      while (performance.now() < until);
      yield
    }
    return emptyObservation(cluster, steps, 'linkerd')
  }
  const dialect: Dialect = { ...linkerd, reading }
  const answers = new Map([['inbound', []]])
  return {
    of: [
      {
        dialect,
        collected: { answers, doubtful: new Map<string, never>(), failures: [], warnings: [], seriesRead: 0 },
      },
    ],
    alive: null,
  }
}

test('answers are read in turns', async () => {
  const leaving = new AbortController()
  let rounds = 0
  const count = () => {
    rounds += 1
    if (!leaving.signal.aborted) setImmediate(count)
  }
  setImmediate(count)
  const read = await readNow('east', collected(5), leaving.signal)
  leaving.abort()
  expect(read).toMatchObject({ observation: { cluster: 'east' }, failures: [] })
  expect(rounds).toBeGreaterThanOrEqual(4)
})

test('whoever leaves while they are read is told of, and nothing is thrown that nobody waits for', async () => {
  const leaving = new AbortController()
  const read = readNow('east', collected(1_000), leaving.signal)
  leaving.abort()
  expect(await read).toMatchObject({ error: { kind: 'aborted' } })
})
