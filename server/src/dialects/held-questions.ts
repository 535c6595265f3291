import type { Dialect, Question } from './dialect.ts'

/** Rate windows in use at a time are one or two. */
const MOST_WINDOWS = 8

/**
 * The dialect with its questions made once for each rate window: a snapshot looks at them dozens of times. They are
 * made anew when the `peers`, after whom mirrored services are named, have changed.
 */
export function withHeldQuestions(dialect: Dialect, peers: () => readonly string[]): Dialect {
  const held = new Map<number, readonly Question[]>()
  let heldFor = ''
  return {
    ...dialect,
    questions(windowSeconds) {
      const names = peers().join('\n')
      if (names !== heldFor || held.size > MOST_WINDOWS) held.clear()
      heldFor = names
      const known = held.get(windowSeconds) ?? dialect.questions(windowSeconds)
      held.set(windowSeconds, known)
      return known
    },
  }
}
