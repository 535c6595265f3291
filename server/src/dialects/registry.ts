import type { Dialect } from './dialect.ts'
import { linkerd } from './linkerd.ts'

/** Every dialect Goldseam speaks: a new one is one file, its fixtures, and a line here. */
export const dialects: readonly Dialect[] = [linkerd]

/** The dialects as one cluster among others is asked in: mirrored services carry the others' names in theirs. */
export function dialectsAmong(peers: readonly string[]): readonly Dialect[] {
  return dialects.map((dialect) => ({
    ...dialect,
    questions: (windowSeconds) => dialect.questions(windowSeconds, peers),
  }))
}
