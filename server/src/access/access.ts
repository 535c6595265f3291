import { hashOf, newToken } from './tokens.ts'
import { type WallEntry, type WallStore, WallStoreError } from './wall-store.ts'

export interface TokenEntry {
  readonly name: string
  readonly hash: string
}

/** Who asks. A person sees everything; a wall only what walls need, within its clusters and namespaces. */
export type Caller =
  | { readonly kind: 'anybody' }
  | { readonly kind: 'person'; readonly name: string }
  | { readonly kind: 'wall'; readonly wall: WallEntry }

export interface AccessRules {
  /** Null: everybody who reaches the port may look. */
  readonly tokens: readonly TokenEntry[] | null
  /** Listed in the config: revoked by taking them out. */
  readonly walls: readonly WallEntry[]
}

/** Decides by tokens alone; knows no HTTP. */
export class Access {
  readonly #rules: AccessRules
  readonly #store: WallStore | null

  constructor(rules: AccessRules, store: WallStore | null) {
    this.#rules = rules
    this.#store = store
  }

  get isOpen(): boolean {
    return this.#rules.tokens === null
  }

  /** Null: nobody who may look. Compared are hashes, so that time tells nothing about a token. */
  callerOf(token: string | null): Caller | null {
    if (this.isOpen) return { kind: 'anybody' }
    if (token === null) return null
    const hash = hashOf(token)
    const person = this.#rules.tokens?.find((entry) => entry.hash === hash)
    if (person !== undefined) return { kind: 'person', name: person.name }
    const wall = [...this.#rules.walls, ...this.#paired()].find((entry) => entry.hash === hash)
    return wall === undefined ? null : { kind: 'wall', wall }
  }

  /** A store that cannot be read lets no screen in; what the config lists still holds. */
  #paired(): readonly WallEntry[] {
    try {
      return this.#store?.list() ?? []
    } catch {
      return []
    }
  }

  /** Throws where it is not known who was paired, and says what to do. */
  walls(): readonly WallEntry[] {
    return [...this.#rules.walls, ...(this.#store?.list() ?? [])]
  }

  /** A new screen; gives its token, which is kept nowhere. */
  addWall(given: {
    name: string
    clusters: readonly string[]
    namespaces: readonly string[]
    createdAt: string
  }): string {
    if (this.#store === null) throw new Error('walls need no token here')
    this.#mustBeFree(given.name)
    const token = newToken('wall')
    this.#store.add({ ...given, hash: hashOf(token) })
    return token
  }

  revokeWall(name: string): void {
    this.#store?.revoke(name)
  }

  renameWall(name: string, to: string): void {
    this.#mustBeFree(to)
    this.#store?.rename(name, to)
  }

  /** Of two walls with one name nobody could say which one is meant. */
  #mustBeFree(name: string): void {
    if (this.#rules.walls.some((wall) => wall.name === name))
      throw new WallStoreError(`a wall named ${name} is listed in the config; choose another name`)
  }
}
