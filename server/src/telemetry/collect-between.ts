import {
  constants,
  type EventLoopUtilization,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
  PerformanceObserver,
  performance,
} from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

export interface CollectBetween {
  /** A snapshot is there: its garbage is collected once the event loop has come to rest. */
  taken(): void
  close(): void
}

/** How often it looks whether the event loop rests, and how much of that time it may have been busy. */
const LOOK_MS = 200
const AT_REST = 0.4
/** A server that never rests collects when V8 wants to. */
const MOST_LOOKS = 40
/** Less garbage than this part of what lives is not worth looking for. */
const WORTH = 0.15
/**
 * V8 starts to mark once so many bytes outside of its heap were added since it collected last; its own limit is 64 MB
 * (`kExternalAllocationSoftLimit` in V8's `heap.h`).
 */
const NUDGE_BYTES = 72 * 2 ** 20

/**
 * Lets V8 collect between two snapshots. By itself it starts to mark when the heap has grown by a certain part, which
 * is while a snapshot is put together: what lives until the next one is what makes it grow. Marking then takes the
 * processor from those who are waited for, a quarter of a second of it for 1 000 workloads (server/bench/README.md).
 * `gc()` would stop everything while it marks; a nudge has it done beside, in small steps.
 */
export function createCollectBetween(collect: () => void = nudge): CollectBetween {
  /** What was left when it last collected for a snapshot; collections in the middle of one see two of them. */
  let leftBytes = 0
  let asked = false
  let timer: NodeJS.Timeout | null = null
  const observer = new PerformanceObserver((list) => {
    const isMajor = ({ detail }: PerformanceEntry) =>
      (detail as NodeGCPerformanceDetail).kind === constants.NODE_PERFORMANCE_GC_MAJOR
    if (!asked || !list.getEntries().some(isMajor)) return
    asked = false
    leftBytes = getHeapStatistics().used_heap_size
  })
  observer.observe({ entryTypes: ['gc'] })

  function look(since: EventLoopUtilization, looks: number): void {
    timer = setTimeout(() => {
      timer = null
      const now = performance.eventLoopUtilization()
      if (performance.eventLoopUtilization(now, since).utilization <= AT_REST) {
        if (getHeapStatistics().used_heap_size < leftBytes * (1 + WORTH)) return
        asked = true
        collect()
      } else if (looks < MOST_LOOKS) look(now, looks + 1)
    }, LOOK_MS)
    timer.unref()
  }

  return {
    taken() {
      if (timer !== null) clearTimeout(timer)
      look(performance.eventLoopUtilization(), 1)
    },
    close() {
      if (timer !== null) clearTimeout(timer)
      observer.disconnect()
    },
  }
}

/** Memory that is never touched takes an address range and no memory. */
function nudge(): void {
  try {
    new ArrayBuffer(NUDGE_BYTES)
  } catch {
    // Where not even addresses are left V8 has other reasons to collect.
  }
}
