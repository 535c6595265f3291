import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** A screen that may show its part of the fleet, for as long as it stands here. Never the token, only its hash. */
export interface WallEntry {
  readonly name: string
  readonly hash: string
  /** Clusters and namespaces it may show; empty: all. */
  readonly clusters: readonly string[]
  readonly namespaces: readonly string[]
  /** RFC 3339; null where the config lists it. */
  readonly createdAt: string | null
}

/** A change that cannot be made, in words for the person who wanted it. */
export class WallStoreError extends Error {
  override readonly name = 'WallStoreError'
}

/** The file may be changed by the command line while the server runs. */
const LOOK_AGAIN_MS = 1_000

/** The paired screens, in one file that several programs read and write whole. */
export class WallStore {
  readonly #file: string
  readonly #nowMs: () => number
  readonly #note: (why: string | null) => void
  #known: { stamp: string; entries: readonly WallEntry[]; lookedAtMs: number } | null = null

  /** `note` is told whether the file can be read: null, or why not. */
  constructor(file: string, nowMs: () => number = Date.now, note: (why: string | null) => void = () => undefined) {
    this.#file = file
    this.#nowMs = nowMs
    this.#note = note
  }

  list(): readonly WallEntry[] {
    const now = this.#nowMs()
    if (this.#known !== null && Math.abs(now - this.#known.lookedAtMs) < LOOK_AGAIN_MS) return this.#known.entries
    const stamp = this.#stamp()
    const entries = this.#known?.stamp === stamp ? this.#known.entries : this.#readAndNote()
    this.#known = { stamp, entries, lookedAtMs: now }
    return entries
  }

  add(entry: WallEntry): void {
    if (this.#fresh().some(({ name }) => name === entry.name))
      throw new WallStoreError(`a wall named ${entry.name} exists already; choose another name, or revoke it first`)
    this.#write([...this.#fresh(), entry])
  }

  revoke(name: string): void {
    this.#mustHave(name)
    this.#write(this.#fresh().filter((entry) => entry.name !== name))
  }

  rename(name: string, to: string): void {
    this.#mustHave(name)
    if (this.#fresh().some((entry) => entry.name === to)) throw new WallStoreError(`a wall named ${to} exists already`)
    this.#write(this.#fresh().map((entry) => (entry.name === name ? { ...entry, name: to } : entry)))
  }

  #mustHave(name: string): void {
    const names = this.#fresh().map((entry) => entry.name)
    if (!names.includes(name))
      throw new WallStoreError(`there is no wall named ${name} in ${this.#file} (there: ${names.join(', ') || 'none'})`)
  }

  #fresh(): readonly WallEntry[] {
    this.#known = null
    return this.list()
  }

  #stamp(): string {
    try {
      const { mtimeMs, size, ino } = statSync(this.#file)
      return `${mtimeMs}:${size}:${ino}`
    } catch {
      return ''
    }
  }

  #readAndNote(): readonly WallEntry[] {
    try {
      const entries = this.#read()
      this.#note(null)
      return entries
    } catch (error) {
      this.#note((error as Error).message)
      throw error
    }
  }

  /** A file that is not there holds nobody. One that cannot be understood lets nobody in, and is never written over. */
  #read(): readonly WallEntry[] {
    let text: string
    try {
      text = readFileSync(this.#file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw new WallStoreError(`${this.#file} cannot be read (${(error as Error).message}); mend it or move it away`)
    }
    try {
      const { walls } = JSON.parse(text) as { walls: unknown }
      if (Array.isArray(walls) && walls.every(isEntry)) return walls
    } catch {
      // Said below.
    }
    throw new WallStoreError(`${this.#file} does not hold walls as Goldseam writes them; mend it or move it away`)
  }

  /** Written beside and moved over, so that nobody ever reads half of it. */
  #write(entries: readonly WallEntry[]): void {
    const beside = `${this.#file}.${process.pid}.new`
    try {
      const owner = ownerOf(this.#file)
      writeFileSync(beside, `${JSON.stringify({ walls: entries }, null, 2)}\n`, { mode: owner.mode })
      handOver(beside, this.#file, owner)
      renameSync(beside, this.#file)
    } catch (error) {
      rmSync(beside, { force: true })
      if (error instanceof WallStoreError) throw error
      throw new WallStoreError(
        `${this.#file} cannot be written (${(error as Error).message}); set auth.wallsFile to a place that can, or list the wall's hash under auth.walls`,
      )
    }
    this.#known = null
  }
}

type Owner = Pick<Stats, 'uid' | 'gid' | 'mode'>

/** Who is to have a file that is written anew: who has it now. One that root makes is for whom the directory belongs to. */
function ownerOf(file: string): Owner {
  const made = mkdirSync(dirname(file), { recursive: true })
  const there = statSync(file, { throwIfNoEntry: false })
  if (there !== undefined) return { uid: there.uid, gid: there.gid, mode: there.mode & 0o777 }
  const own = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
  return { ...(own.uid === 0 ? statSync(dirname(made ?? file)) : own), mode: 0o600 }
}

/** The server may be another user than who types a command, and locks out every screen when it cannot read the file. */
function handOver(beside: string, file: string, { uid, gid, mode }: Owner): void {
  const now = statSync(beside)
  // What umask took from the mode.
  if ((now.mode & 0o777) !== mode) quietly(() => chmodSync(beside, mode))
  if (now.uid === uid && now.gid === gid) return
  // Where users have no numbers, there is nothing to hand over.
  if (process.getuid === undefined || quietly(() => chownSync(beside, uid, gid))) return
  // Whom it belongs to still, who may read everything, and whom anybody's file is open to lose nothing.
  if (now.uid !== uid && uid !== 0 && (mode & 0o004) === 0) {
    throw new WallStoreError(
      `${file} belongs to another user (number ${uid}, group ${gid}), who could no longer read it; run this as that user, or as root`,
    )
  }
}

/** Whether it could be done: some file systems know neither modes nor owners. */
function quietly(change: () => void): boolean {
  try {
    change()
    return true
  } catch {
    return false
  }
}

function isEntry(value: unknown): value is WallEntry {
  if (typeof value !== 'object' || value === null) return false
  const entry = value as Record<string, unknown>
  return (
    typeof entry.name === 'string' &&
    typeof entry.hash === 'string' &&
    Array.isArray(entry.clusters) &&
    Array.isArray(entry.namespaces) &&
    typeof entry.createdAt === 'string'
  )
}
