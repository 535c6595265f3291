import type { KeptStore } from './kept-store.ts'
import { storeTrouble } from './store-trouble.ts'

/** The store could not be asked. What it holds is as it was; nobody may take this for "no such link". */
export class StoreAway extends Error {
  override readonly name = 'StoreAway'
  /** From a small set, without places, names or values. */
  readonly why: string

  constructor(why: string) {
    super(`the store of links ${why}`)
    this.why = why
  }
}

/** Told after each time the store was asked: why it could not answer, or null when it did. */
export type NoteTrouble = (why: string | null) => void

/** Keys become file names: nothing else than what codes are made of may reach the disk. */
const KEY = /^[0-9A-Z]{1,32}$/
const DEADLINE_MS = 2_000

/**
 * A store that answers or says why not, within two seconds. The errors of file systems and drivers stay here: they name
 * hosts, users and paths, and these sentences are shown to people and logged.
 */
export function guardedStore(store: KeptStore, note: NoteTrouble): KeptStore {
  async function within<T>(work: () => Promise<T>): Promise<T> {
    try {
      const answer = await inTime(work())
      note(null)
      return answer
    } catch (error) {
      if (error === LATE) store.reset()
      const why = error === LATE ? `does not answer within ${DEADLINE_MS / 1_000} seconds` : storeTrouble(error)
      note(why)
      throw new StoreAway(why)
    }
  }
  const ofKey = async <T>(key: string, work: () => Promise<T>) => {
    if (!KEY.test(key)) throw new Error('a key of the link store is made of digits and capital letters')
    return within(work)
  }
  return {
    get: (key) => ofKey(key, () => store.get(key)),
    set: (key, value) => ofKey(key, () => store.set(key, value)),
    add: (key, value) => ofKey(key, () => store.add(key, value)),
    delete: (key) => ofKey(key, () => store.delete(key)),
    holds: (count) => within(() => store.holds(count)),
    // Of a place that others use as well.
    keys: async (most) => (await within(() => store.keys(most))).filter((key) => KEY.test(key)),
    reset: () => store.reset(),
    // Whoever stops waits for no store: what hangs ends with the process.
    close: () => inTime(store.close()).catch(() => store.reset()),
  }
}

const LATE = Symbol('late')

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // What has come while the process was busy with something else is not late: it is looked at first.
    timer = setTimeout(() => setImmediate(() => reject(LATE)), DEADLINE_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
