import { keyFor } from '../ui/key-choice.ts'
import { type BoundKey, KEY_MAP } from '../ui/key-map.ts'

/** Why a key cannot do what `bound` stands for, in words; null: it can. */
export function keyTrouble(key: string, bound: BoundKey): string | null {
  if (key.length !== 1 || key === ' ') return `${key === ' ' ? 'Space' : key} cannot be used: take a letter or a sign.`
  if (key === 'g') return 'g starts g f and its like.'
  const other = (Object.keys(KEY_MAP) as BoundKey[]).find((one) => one !== bound && keyFor(one) === key)
  return other === undefined ? null : `${key} is taken: ${KEY_MAP[other].does}.`
}
