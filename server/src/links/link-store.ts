import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { codeOf, LONGEST_CODE, SHORTEST_CODE } from './code.ts'
import { StoreAway } from './guarded-store.ts'
import type { KeptStore } from './kept-store.ts'
import { addTo, keyvOf } from './keyv-of.ts'

const packed = promisify(brotliCompress)
const unpacked = promisify(brotliDecompress)
/** The slowest, which is the default, took 12 s for 3 MB of rows where this takes 0.1 s, and made them a fifth smaller. */
const PACKING = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/** The answers of saved evidence, by what was asked. */
export type Answers = Readonly<Record<string, object>>

export interface NewEntry {
  readonly kind: 'link' | 'evidence'
  readonly address: string
  readonly title: string
  /** Unix seconds; null for a short link. */
  readonly snapshotAtSeconds: number | null
  readonly verdict: string | null
  /** The most needed first: what does not fit is left out from the end. */
  readonly answers: Answers | null
  /** What was too large to be among the answers. */
  readonly leftOut?: readonly string[]
  /** Made by a wall by itself: kept for a week at most, and no part of what people may make in a minute. */
  readonly byWall?: true
}

export interface Entry {
  readonly code: string
  readonly kind: 'link' | 'evidence'
  readonly state: 'kept' | 'expired'
  readonly title: string
  /** Null when expired. */
  readonly address: string | null
  /** All in unix seconds. */
  readonly createdAtSeconds: number
  readonly expiresAtSeconds: number | null
  readonly snapshotAtSeconds: number | null
  readonly verdict: string | null
  /** What did not fit. */
  readonly leftOut: readonly string[]
}

/** Why a link was not made; nothing was written. */
export class LinkRefused extends Error {
  readonly reason: 'full' | 'tooLarge' | 'tooMany'

  constructor(reason: LinkRefused['reason'], message: string) {
    super(message)
    this.name = 'LinkRefused'
    this.reason = reason
  }
}

interface LinkStoreOptions {
  readonly store: KeptStore
  /** Whether what is kept outlives this process. */
  readonly durable: boolean
  readonly maxCount: number
  /** Of one entry, compressed. */
  readonly maxBytes: number
  /** Null: kept until somebody deletes them. */
  readonly keepForSeconds: number | null
  /** Unix seconds. */
  readonly clock: () => number
}

interface Stored extends Omit<Entry, 'code' | 'state'> {
  readonly version: 1
  /** Compressed JSON, base64. */
  readonly answers: string | null
}

const MOST_PER_MINUTE = 60
const WALL_KEEP_SECONDS = 7 * 86_400
/** Looking for what is over reads every entry. */
const SWEEP_AGAIN_SECONDS = 600
const MOST_SWEPT = 20_000
/** Evidence that is being looked at stays unpacked. */
const MOST_OPEN = 4

export type LinkStore = ReturnType<typeof createLinkStore>

/** Short links and saved evidence in a Keyv store, which several servers may share. */
export function createLinkStore({ store, durable, maxCount, maxBytes, keepForSeconds, clock }: LinkStoreOptions) {
  const keyv = keyvOf(store)
  const recent: number[] = []
  let sweptAtSeconds = Number.NEGATIVE_INFINITY
  let sweeping: Promise<number> | null = null
  const open = new Map<string, { readonly answers: Answers; readonly expiresAtSeconds: number | null }>()

  const isOver = ({ expiresAtSeconds }: Pick<Entry, 'expiresAtSeconds'>) =>
    expiresAtSeconds !== null && clock() >= expiresAtSeconds

  async function read(code: string): Promise<Stored | null> {
    const stored = await keyv.get<Stored>(code)
    return stored?.version === 1 ? stored : null
  }

  /** Puts an entry under a code that is free, or that has the same content already, on whatever server it was made. */
  async function place(entry: Stored): Promise<{ code: string; stored: Stored }> {
    const content = contentOf(entry)
    for (let length = SHORTEST_CODE; length <= LONGEST_CODE; length += 1) {
      const code = codeOf(content, length)
      let taken = await read(code)
      if (taken === null) {
        if ((await store.holds(maxCount)) && ((await sweep()) === 0 || (await store.holds(maxCount))))
          throw new LinkRefused(
            'full',
            `there are ${maxCount} links already, and none of them is over; raise links.maxCount, or take some out of the store`,
          )
        if (await addTo(keyv, store, code, entry)) return { code, stored: entry }
        // Another server has made it in this moment.
        taken = await read(code)
      }
      if (taken === null || contentOf(taken) !== content) continue
      const stored = { ...entry, title: taken.title }
      await keyv.set(code, stored)
      return { code, stored }
    }
    throw new LinkRefused('full', 'there is no free code for this link')
  }

  /**
   * Takes away what is over, so that it stands in the way of nothing new. Says how many those were, once all were looked
   * at: whoever comes while that lasts waits for it, and one that was broken off is begun again by the next.
   */
  async function sweep(): Promise<number> {
    if (sweeping === null && Math.abs(clock() - sweptAtSeconds) < SWEEP_AGAIN_SECONDS) return 0
    sweeping ??= sweepAll().finally(() => {
      sweeping = null
    })
    return sweeping
  }

  async function sweepAll(): Promise<number> {
    let gone = 0
    for (const code of await store.keys(MOST_SWEPT)) {
      const stored = await read(code).catch(unlessAway)
      if (stored === null || !isOver(stored)) continue
      await keyv.delete(code)
      open.delete(code)
      gone += 1
    }
    sweptAtSeconds = clock()
    return gone
  }

  function throttle(): void {
    const nowSeconds = clock()
    // What lies ahead was made before the clock was set back.
    while (recent[0] !== undefined && Math.abs(nowSeconds - recent[0]) > 60) recent.shift()
    if (recent.length >= MOST_PER_MINUTE)
      throw new LinkRefused('tooMany', `at most ${MOST_PER_MINUTE} links are made a minute; try again in a moment`)
    recent.push(nowSeconds)
  }

  return {
    durable,

    async make(entry: NewEntry): Promise<Entry> {
      if (entry.byWall !== true) throttle()
      const { answers, leftOut } = await fit(entry.answers, maxBytes)
      const createdAtSeconds = Math.floor(clock())
      const lasting =
        entry.byWall === true ? Math.min(keepForSeconds ?? WALL_KEEP_SECONDS, WALL_KEEP_SECONDS) : keepForSeconds
      const { code, stored } = await place({
        version: 1,
        kind: entry.kind,
        title: entry.title,
        address: entry.address,
        createdAtSeconds,
        expiresAtSeconds: lasting === null ? null : createdAtSeconds + lasting,
        snapshotAtSeconds: entry.snapshotAtSeconds,
        verdict: entry.verdict,
        leftOut: [...(entry.leftOut ?? []), ...leftOut],
        answers,
      })
      open.delete(code)
      return shown(code, stored, 'kept')
    },

    /** Null for a code that nobody made. What has expired is named, and gives its room back. */
    async find(code: string): Promise<Entry | null> {
      const stored = await read(code)
      if (stored === null) return null
      if (!isOver(stored)) return shown(code, stored, 'kept')
      if (stored.answers !== null || stored.address !== null) {
        await keyv.set(code, { ...stored, address: null, answers: null })
        open.delete(code)
      }
      return shown(code, { ...stored, address: null }, 'expired')
    },

    /** The answers of saved evidence; null for what is none, or is no longer kept. */
    async answers(code: string): Promise<Answers | null> {
      const known = open.get(code)
      if (known !== undefined && !isOver(known)) return known.answers
      open.delete(code)
      const stored = await read(code)
      if (stored?.answers == null || isOver(stored)) return null
      const text = await unpacked(Buffer.from(stored.answers, 'base64'))
      const answers = JSON.parse(text.toString('utf8')) as Answers
      open.set(code, { answers, expiresAtSeconds: stored.expiresAtSeconds })
      const [oldest] = open.keys()
      if (open.size > MOST_OPEN && oldest !== undefined) open.delete(oldest)
      return answers
    },
  }
}

/** Null for an entry that cannot be understood, which is none of ours. */
function unlessAway(error: unknown): null {
  if (error instanceof StoreAway) throw error
  return null
}

/** Evidence is its answers: what is told of the same moment later, with a cluster less, is evidence of its own. */
function contentOf({ kind, address, snapshotAtSeconds, answers }: Stored): string {
  return JSON.stringify([kind, address, snapshotAtSeconds, ...(answers === null ? [] : [answers])])
}

function shown(code: string, { answers: _, version: __, ...stored }: Stored, state: Entry['state']): Entry {
  return { code, state, ...stored }
}

/** Packs as many of the answers as fit, the first ones first. */
async function fit(
  answers: Answers | null,
  maxBytes: number,
): Promise<{ answers: string | null; leftOut: readonly string[] }> {
  if (answers === null) return { answers: null, leftOut: [] }
  const names = Object.keys(answers)
  const texts: string[] = []
  for (const name of names) {
    texts.push(`${JSON.stringify(name)}:${JSON.stringify(answers[name])}`)
    // A fleet of thousands takes a while, and others wait for nothing else.
    await setImmediate()
  }
  const pack = (count: number) => packed(`{${texts.slice(0, count).join(',')}}`, PACKING)
  let [fits, tooMany] = [0, names.length + 1]
  let bytes: Buffer | null = null
  // All of them first: as a rule they fit.
  for (let count = names.length; count > fits && count < tooMany; count = Math.ceil((fits + tooMany - 1) / 2)) {
    const tried = await pack(count)
    if (tried.length > maxBytes) tooMany = count
    else [fits, bytes] = [count, tried]
  }
  if (bytes !== null) return { answers: bytes.toString('base64'), leftOut: names.slice(fits) }
  throw new LinkRefused('tooLarge', `the answers are larger than ${maxBytes} bytes, compressed (links.maxBytes)`)
}
