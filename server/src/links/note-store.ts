import type { KeptStore } from './kept-store.ts'
import { keyvOf } from './keyv-of.ts'

/** What a person has to say to everybody who looks at a wall. */
export interface Note {
  readonly text: string
  readonly by: string
  /** Unix seconds: it is taken down then. */
  readonly untilSeconds: number
}

export interface NoteStore {
  /** Null: none, or its time is over. */
  read(): Promise<Note | null>
  /** Takes the place of the one before; null takes it down. */
  write(note: Note | null): Promise<void>
}

/** Beside the links, so that all servers that share them show the same; longer than any code of a link. */
const KEY = 'NOTEONTHEWALLOFALL'
/** Each wall's second: the store need not be asked more often. */
const LOOK_AGAIN_SECONDS = 1

/** One note for all walls, in the store of the links. `clock`: unix seconds. */
export function createNoteStore(store: KeptStore, clock: () => number): NoteStore {
  const keyv = keyvOf(store)
  let known: { note: Note | null; atSeconds: number } | null = null
  const holding = (note: Note | null) => (note !== null && note.untilSeconds > clock() ? note : null)
  return {
    async read() {
      if (known === null || Math.abs(clock() - known.atSeconds) >= LOOK_AGAIN_SECONDS)
        known = { note: (await keyv.get<Note>(KEY)) ?? null, atSeconds: clock() }
      return holding(known.note)
    },
    async write(note) {
      known = null
      if (note === null) await keyv.delete(KEY)
      else await keyv.set(KEY, note)
    },
  }
}
