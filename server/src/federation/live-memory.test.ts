import { expect, test } from 'vitest'
import type { Verdict } from '../domain/verdict.ts'
import { LiveMemories } from './live-memory.ts'

const suspect = { form: 'suspect', text: 'web is slow' } as unknown as Verdict
const quiet = { form: 'quiet', text: 'all quiet' } as unknown as Verdict

test('what one rate window sees is not said of another', () => {
  const memories = new LiveMemories()
  const say = (windowSeconds: number, atSeconds: number, verdict: Verdict) =>
    memories.of({ windowSeconds, atSeconds }).say(verdict, atSeconds, windowSeconds).form
  for (let atSeconds = 1_000; atSeconds < 1_060; atSeconds += 10) {
    expect(say(60, atSeconds, suspect)).toBe('suspect')
    expect(say(900, atSeconds, quiet)).toBe('quiet')
  }
  expect(memories.of({ windowSeconds: 900, atSeconds: 1_060 }).watch).not.toEqual(
    memories.of({ windowSeconds: 60, atSeconds: 1_060 }).watch,
  )
  // One calm look may be a pause.
  expect(say(60, 1_060, quiet)).toBe('suspect')
  expect(say(60, 1_070, quiet)).toBe('quiet')
})
