export interface Timer {
  readonly atMs: number
  readonly run: () => void
}

/** Timers in the order of their time; those of the same time in the order they were set. */
export interface TimerQueue {
  /** Returns what cancels it. */
  add(atMs: number, run: () => void): () => void
  /** Removes and returns the first timer if its time is not after `untilMs`. */
  takeUntil(untilMs: number): Timer | undefined
}

interface Entry extends Timer {
  readonly serial: number
  cancelled: boolean
}

/** A binary heap. */
export function createTimerQueue(): TimerQueue {
  const heap: Entry[] = []
  let serial = 0
  const isBefore = (a: Entry, b: Entry) => a.atMs < b.atMs || (a.atMs === b.atMs && a.serial < b.serial)

  function swapIfBefore(child: number, parent: number): boolean {
    const a = heap[child]
    const b = heap[parent]
    if (!a || !b || !isBefore(a, b)) return false
    heap[child] = b
    heap[parent] = a
    return true
  }

  function removeFirst(): Entry | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (!first || !last || first === last) return first
    heap[0] = last
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const [leftEntry, rightEntry] = [heap[left], heap[left + 1]]
      if (!leftEntry) return first
      const smaller = rightEntry && isBefore(rightEntry, leftEntry) ? left + 1 : left
      if (!swapIfBefore(smaller, at)) return first
      at = smaller
    }
  }

  return {
    add(atMs, run) {
      const entry: Entry = { atMs, run, serial: serial++, cancelled: false }
      heap.push(entry)
      let at = heap.length - 1
      while (at > 0 && swapIfBefore(at, (at - 1) >> 1)) at = (at - 1) >> 1
      return () => {
        entry.cancelled = true
      }
    },
    takeUntil(untilMs) {
      for (let first = heap[0]; first && (first.cancelled || first.atMs <= untilMs); first = heap[0]) {
        removeFirst()
        if (!first.cancelled) return first
      }
      return undefined
    },
  }
}
