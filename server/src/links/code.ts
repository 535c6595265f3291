import { createHash } from 'node:crypto'

/** Without 0, 1, I, L, O and U: nothing to mistake when read aloud, and no words. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
export const SHORTEST_CODE = 6
export const LONGEST_CODE = 16

/**
 * The code of some content: the same content has the same code, so that copying a link twice fills nothing. `length`
 * grows when another content has the shorter one already. 6 letters tell 729 million apart.
 */
export function codeOf(content: string, length: number): string {
  const digest = createHash('sha256').update(content).digest()
  return Array.from({ length }, (_, index) => LETTERS[(digest[index] ?? 0) % LETTERS.length]).join('')
}
