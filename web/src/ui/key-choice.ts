import type { BoundKey } from './key-map.ts'

const STORED = 'goldseam.keys'
const STORED_MAP = 'goldseam.keymap'

/** Whether single letters act; WCAG 2.1.4 wants a way to switch them off. Kept in the browser, not in links. */
export function lettersAct(): boolean {
  return read(STORED) !== 'off'
}

export function letLettersAct(act: boolean): void {
  write(STORED, act ? 'on' : 'off')
}

type Changed = Readonly<Partial<Record<BoundKey, string>>>

let changed: Changed | null = null

/** The key that does what `bound` stands for: another one where the user says so. */
export function keyFor(bound: BoundKey): string {
  return changedKeys()[bound] ?? bound
}

export function changedKeys(): Changed {
  if (changed === null) {
    try {
      changed = JSON.parse(read(STORED_MAP) ?? '{}') as Changed
    } catch {
      changed = {}
    }
  }
  return changed
}

export function changeKeys(keys: Changed): void {
  changed = keys
  write(STORED_MAP, JSON.stringify(keys))
}

/** Storage may be forbidden: then nothing is kept, and letters act as they are listed. */
function read(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // As above.
  }
}
