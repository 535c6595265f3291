import { expect, test } from 'vitest'
import { Silences } from './silences.ts'

const refused = { why: 'unreachable', detail: 'nothing listens there' }
const of = (windowSeconds: number, atSeconds: number) => ({ windowSeconds, atSeconds })

test('a cluster that answered about an instant and then does not is silent at once', () => {
  const silences = new Silences(300)
  silences.answers(of(60, 1_000))
  silences.fails(of(60, 1_000), refused)
  expect(silences.whole).toEqual({ sinceSeconds: 1_000, failure: refused })
})

test('it is not while somebody is answered over another rate window, and is as soon as nobody is', () => {
  const silences = new Silences(300)
  for (const atSeconds of [1_000, 1_010, 1_020]) {
    silences.answers(of(60, atSeconds))
    silences.fails(of(3_600, atSeconds), refused)
    expect(silences.whole).toBeNull()
  }
  silences.fails(of(60, 1_020), refused)
  expect(silences.whole).toEqual({ sinceSeconds: 1_020, failure: refused })
  expect(silences.of(3_600)?.sinceSeconds).toBe(1_000)
})

test('nor while it rests over another one, and is once nobody looks at that any more', () => {
  const silences = new Silences(300)
  silences.answers(of(60, 1_000))
  for (const atSeconds of [1_010, 1_020, 1_030]) {
    silences.rests(of(60, atSeconds))
    silences.fails(of(3_600, atSeconds), refused)
    expect(silences.whole).toBeNull()
  }
  silences.fails(of(3_600, 1_040), refused)
  expect(silences.whole).toBeNull()
  silences.fails(of(3_600, 1_050), refused)
  expect(silences.whole).toEqual({ sinceSeconds: 1_010, failure: refused })
})

test('what was so before others were answered is not told of a window that was left alone since', () => {
  const silences = new Silences(86_400)
  silences.fails(of(3_600, 1_000), refused)
  for (let atSeconds = 1_010; atSeconds < 1_300; atSeconds += 10) silences.answers(of(60, atSeconds))
  expect(silences.fails(of(3_600, 1_300), null)).toEqual({ sinceSeconds: 1_300, failure: null })
  // With nobody answered meanwhile it is the same silence.
  const silent = new Silences(86_400)
  silent.fails(of(3_600, 1_000), refused)
  expect(silent.fails(of(3_600, 1_300), null)).toEqual({ sinceSeconds: 1_000, failure: refused })
})

test('answers of before the clock was set back say nothing of now', () => {
  const silences = new Silences(300)
  silences.answers(of(60, 5_000))
  silences.fails(of(3_600, 1_000), refused)
  expect(silences.whole).not.toBeNull()
})
