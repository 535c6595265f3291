import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { anything, type Check } from './secret-checks.ts'
import { type Found, StillGood } from './still-good.ts'

/** Kubernetes rotates bound tokens about hourly: a minute is fresh enough, and cheap. */
const REREAD_AFTER_SECONDS = 60

/** Hears why what `file` holds is not used, while something older is; null: it is used again. */
type Listener = (file: string, wrong: string | null) => void

export interface Secrets {
  /**
   * The trimmed text of a secret file. While the file cannot be read, is empty or fails the check, its last good text.
   * Rejects with an error naming the file where there never was one.
   */
  read(path: string, check?: Check): Promise<string>
  /** What was read proved to be out of date: the next time it is looked at the file, however young that is. */
  lookAgain(path: string): void
  /** Hears of files that went bad, each once. */
  watch(listener: Listener): void
  /** Tells who watches. */
  readonly tell: Listener
}

interface Known {
  readonly kept: StillGood<string>
  /** The good text, and when it was read. */
  last: { readonly text: string; readonly readAtSeconds: number } | null
}

/** Reads secret files relative to `directory`, and again when they are a minute old, so that rotated tokens are picked up. */
export function createSecrets(directory: string, nowSeconds: () => number = () => Date.now() / 1_000): Secrets {
  /** By path, and by what it has to be: one file may hold a certificate and its key. */
  const known = new Map<string, Map<Check, Known>>()
  let listener: Listener = () => undefined
  const tell: Listener = (file, wrong) => listener(file, wrong)

  function knownOf(path: string, check: Check): Known {
    const checks = known.get(path) ?? new Map<Check, Known>()
    known.set(path, checks)
    const one = checks.get(check) ?? { kept: new StillGood((wrong) => tell(path, wrong)), last: null }
    checks.set(check, one)
    return one
  }

  async function lookAt(path: string, check: Check): Promise<Found<string>> {
    const file = resolve(directory, path)
    try {
      const text = (await readFile(file, 'utf8')).trim()
      if (text === '') throw new Error('it is empty')
      const wrong = check(text)
      return wrong === null ? { good: text } : { wrong: `${path} ${wrong}` }
    } catch (error) {
      return { wrong: `secret file ${file} cannot be read: ${unreadable(error)}` }
    }
  }

  return {
    async read(path, check = anything) {
      const one = knownOf(path, check)
      const ageSeconds = one.last === null ? null : nowSeconds() - one.last.readAtSeconds
      // Negative where the clock was set back.
      if (one.last !== null && ageSeconds !== null && ageSeconds >= 0 && ageSeconds < REREAD_AFTER_SECONDS)
        return one.last.text
      const found = await lookAt(path, check)
      const text = one.kept.take(found)
      // What is bad may be mended at any moment.
      if ('good' in found) one.last = { text, readAtSeconds: nowSeconds() }
      return text
    },
    lookAgain(path) {
      for (const one of known.get(path)?.values() ?? []) one.last = null
    },
    watch(next) {
      listener = next
    },
    tell,
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
