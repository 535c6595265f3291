import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

/** Keeps rows where the eye left them; what is new goes behind the row it follows in the fresh order. */
export function holdOrder(held: readonly string[], fresh: readonly string[]): string[] {
  const present = new Set(fresh)
  const known = new Set(held)
  const shown = held.filter((id) => present.has(id))
  for (const [index, id] of fresh.entries()) {
    if (known.has(id)) continue
    const before = index === 0 ? -1 : shown.indexOf(fresh[index - 1] ?? '')
    shown.splice(before + 1, 0, id)
  }
  return shown
}

/** How many rows would have to move: all but the longest run that is already in order. */
export function pendingMoves(shown: readonly string[], fresh: readonly string[]): number {
  const rank = new Map(fresh.map((id, index) => [id, index]))
  const tails: number[] = []
  for (const id of shown) {
    const value = rank.get(id) ?? 0
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((tails[middle] ?? 0) < value) low = middle + 1
      else high = middle
    }
    tails[low] = value
  }
  return shown.length - tails.length
}

export interface HeldOrder {
  readonly ids: readonly string[]
  readonly pending: number
  readonly hold: () => void
  readonly release: () => void
  readonly apply: () => void
}

/**
 * Rows must not jump away under a pointer or a focus. `basis` names what the order follows; a new basis applies at once.
 * What it hands back stays the same while nothing changes: thousands of rows hang on it.
 */
export function useHeldOrder(fresh: readonly string[], basis: string): HeldOrder {
  const [held, setHeld] = useState<{ basis: string; ids: readonly string[] } | null>(null)
  const holding = held !== null && held.basis === basis && held.ids !== fresh
  const heldIds = holding ? held.ids : fresh
  const ids = useMemo(() => (heldIds === fresh ? fresh : holdOrder(heldIds, fresh)), [heldIds, fresh])
  const pending = useMemo(() => (ids === fresh ? 0 : pendingMoves(ids, fresh)), [ids, fresh])
  const latest = useRef({ basis, ids: fresh })
  useEffect(() => {
    latest.current = { basis, ids: fresh }
  }, [basis, fresh])
  const hold = useCallback(
    () => setHeld((before) => (before?.basis === latest.current.basis ? before : latest.current)),
    [],
  )
  const release = useCallback(() => setHeld(null), [])
  const apply = useCallback(() => setHeld((before) => before && latest.current), [])
  return useMemo(() => ({ ids, pending, hold, release, apply }), [ids, pending, hold, release, apply])
}
