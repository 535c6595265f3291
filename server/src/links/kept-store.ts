/**
 * What links are kept in: text by key. Each kind of store is one file; none of them knows deadlines or words for people,
 * which `guarded-store.ts` adds.
 */
export interface KeptStore {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string): Promise<void>
  /** Writes where the key is free, and says false where somebody else, on whatever server, was first. */
  add(key: string, value: string): Promise<boolean>
  delete(key: string): Promise<void>
  /** Whether there are `count` entries or more; no more of them are looked at than that takes. */
  holds(count: number): Promise<boolean>
  /** `most` keys at most, in any order. */
  keys(most: number): Promise<readonly string[]>
  /** An answer did not come in time: what it was to come through is given up, and made anew when next needed. */
  reset(): void
  close(): Promise<void>
}
