import type { Snapshot } from '../federation/snapshot.ts'

/** Answers of one snapshot that are held; who filters as nobody else does has it made anew. */
const MOST_ANSWERS = 64

/** Viewers of one snapshot share its answers, so that each is made, serialised and compressed once. */
export function oncePerSnapshot(): <T extends object>(taken: Snapshot, key: string, make: () => T) => T {
  const made = new WeakMap<Snapshot, Map<string, object>>()
  return <T extends object>(taken: Snapshot, key: string, make: () => T): T => {
    const answers = made.get(taken) ?? new Map<string, object>()
    made.set(taken, answers)
    const answer = (answers.get(key) as T | undefined) ?? make()
    // The one that was asked for last comes last.
    answers.delete(key)
    answers.set(key, answer)
    const [oldest = key] = answers.keys()
    if (answers.size > MOST_ANSWERS) answers.delete(oldest)
    return answer
  }
}
