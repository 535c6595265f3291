import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { readPieces, writingPieces } from './in-pieces.ts'
import { inBetween, inTurns } from './in-turns.ts'

/** Text by key, in a place that outlives the process. Each call rejects where the place does not answer in time. */
export interface KeptTexts {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string): Promise<void>
  delete(key: string): Promise<void>
}

/** One thing that the next process is to know as well. None of it rejects: it would be good to have, and no more. */
export interface Kept<T> {
  /** What was kept, by this process or one before; null: nothing that can be read. */
  load(): Promise<T | null>
  /**
   * Takes the place of what was kept, in turns where it is large: what `make` gives must not change meanwhile.
   * `patiently`: nobody waits for it.
   */
  save(make: () => T, patiently?: boolean): Promise<void>
  /** It is not needed any more. */
  forget(): Promise<void>
}

/** Gives what is kept under what identifies it, in words of any length; those before the first comma are written beside it. */
export type Keeper = <T>(identity: string) => Kept<T>

/** Counts up when what is kept takes another shape, or is read off metrics otherwise: what an older build kept is not read then. */
const SHAPE = 5

/**
 * Keeps values of numbers, texts, lists, sets and maps; of what identifies them a hash is the key. `note` is told what is
 * wrong with a value; who keeps the texts tells of his own troubles himself.
 */
export function keeperOf(texts: KeptTexts, note: (why: string) => void): Keeper {
  return <T>(words: string): Kept<T> => {
    const hashed = createHash('sha256').update(words).digest('hex')
    const key = hashed.slice(0, 32).toUpperCase()
    // The rest of the words is written nowhere: they may hold what opens a gateway.
    const identity = hashed.slice(32)
    const [about = ''] = words.split(',', 1)
    // One after the other, so that what was said last is what is kept.
    let last: Promise<unknown> = Promise.resolve()
    const inTurn = <R>(work: () => Promise<R>): Promise<R | null> => {
      const done = last.then(work).catch(() => null)
      last = done
      return done
    }
    return {
      async load() {
        const text = (await inTurn(() => texts.get(key))) ?? null
        if (text === null) return null
        return read<T>(text, identity).catch(() => {
          note('holds what cannot be read')
          return null
        })
      },
      async save(make, patiently = false) {
        await inTurn(async () => {
          let bytes: Buffer
          try {
            const writing = writingPieces({ shape: SHAPE, about, identity, value: make() })
            bytes = await (patiently ? inBetween(() => writing) : inTurns(writing))
          } catch {
            return note('cannot hold what there is')
          }
          await texts.set(key, (await zip(bytes, { level: 1 })).toString('base64'))
        })
      },
      async forget() {
        await inTurn(() => texts.delete(key))
      },
    }
  }
}

/** Nothing is kept, nor written down. */
export const NOT_KEPT: Kept<never> = { load: async () => null, save: async () => {}, forget: async () => {} }

const zip = promisify(gzip)
const unzip = promisify(gunzip)

async function read<T>(text: string, identity: string): Promise<T | null> {
  const found = readPieces(await unzip(Buffer.from(text, 'base64'))) as {
    shape: number
    identity: string
    value: unknown
  }
  return found.shape === SHAPE && found.identity === identity ? (found.value as T) : null
}
