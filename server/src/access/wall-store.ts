import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
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
  #known: { stamp: string; entries: readonly WallEntry[]; lookedAtMs: number } | null = null

  constructor(file: string, nowMs: () => number = Date.now) {
    this.#file = file
    this.#nowMs = nowMs
  }

  list(): readonly WallEntry[] {
    const now = this.#nowMs()
    if (this.#known !== null && now - this.#known.lookedAtMs < LOOK_AGAIN_MS) return this.#known.entries
    const stamp = this.#stamp()
    const entries = this.#known?.stamp === stamp ? this.#known.entries : this.#read()
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

  /** A file that is not there holds nobody. One that cannot be understood lets nobody in, and is never written over. */
  #read(): readonly WallEntry[] {
    let text: string
    try {
      text = readFileSync(this.#file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw new WallStoreError(`${this.#file} cannot be read: ${(error as Error).message}`)
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
      mkdirSync(dirname(this.#file), { recursive: true })
      writeFileSync(beside, `${JSON.stringify({ walls: entries }, null, 2)}\n`, { mode: 0o600 })
      renameSync(beside, this.#file)
    } catch (error) {
      throw new WallStoreError(
        `${this.#file} cannot be written (${(error as Error).message}); set auth.wallsFile to a place that can, or list the wall's hash under auth.walls`,
      )
    }
    this.#known = null
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
