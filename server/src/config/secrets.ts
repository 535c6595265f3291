import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

/** Kubernetes rotates bound tokens about hourly: a minute is fresh enough, and cheap. */
const REREAD_AFTER_SECONDS = 60

export interface Secrets {
  /**
   * The trimmed text of a secret file. Once read, a file that cannot be read for a while keeps its last text.
   * Rejects with an error naming the path when it was never readable or is empty.
   */
  read(path: string): Promise<string>
}

/** Reads secret files relative to `directory`, and again when they are a minute old, so that rotated tokens are picked up. */
export function createSecrets(directory: string, nowSeconds: () => number = () => Date.now() / 1_000): Secrets {
  const known = new Map<string, { text: string; readAtSeconds: number }>()
  return {
    async read(path) {
      const before = known.get(path)
      const ageSeconds = before === undefined ? null : nowSeconds() - before.readAtSeconds
      // Negative where the clock was set back.
      if (before !== undefined && ageSeconds !== null && ageSeconds >= 0 && ageSeconds < REREAD_AFTER_SECONDS) {
        return before.text
      }
      const file = resolve(directory, path)
      try {
        const text = (await readFile(file, 'utf8')).trim()
        if (text === '') throw new Error('it is empty')
        known.set(path, { text, readAtSeconds: nowSeconds() })
        return text
      } catch (error) {
        if (before !== undefined) return before.text
        throw new Error(`secret file ${file} cannot be read: ${unreadable(error)}`, { cause: error })
      }
    },
  }
}

/** Why a file cannot be read, in words a person can act on. */
export function unreadable(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'ENOENT':
      return 'there is no such file'
    case 'EACCES':
      return 'this user may not read it'
    case 'EISDIR':
      return 'it is a directory'
    default:
      return message
  }
}
