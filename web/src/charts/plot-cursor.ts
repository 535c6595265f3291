/** The instant that somebody points at, shared by charts that lie side by side; null for none. */
export interface PlotCursor {
  readonly get: () => number | null
  readonly set: (atMs: number | null) => void
  readonly subscribe: (changed: () => void) => () => void
}

/** Outside of React's state: four charts follow the pointer without anything else being rendered. */
export function plotCursor(): PlotCursor {
  const listeners = new Set<() => void>()
  let at: number | null = null
  return {
    get: () => at,
    set(atMs) {
      if (atMs === at) return
      at = atMs
      for (const changed of listeners) changed()
    },
    subscribe(changed) {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
  }
}
