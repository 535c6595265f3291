import { constants, type EventLoopUtilization, PerformanceObserver, performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'

export interface CollectBetween {
  /** A snapshot is there: its garbage is collected once the event loop has come to rest. */
  taken(): void
  close(): void
}

export interface CollectOptions {
  readonly pauseMs?: number
  /** In a smaller heap marking takes so little that it may come whenever V8 wants it. */
  readonly fromBytes?: number
  readonly collect?: () => void
}

/** What is asked behind a snapshot has come in by then, and its garbage goes with the rest. */
const PAUSE_MS = 2_000
/** How often it looks whether the event loop rests, and how much of that time it may have been busy. */
const LOOK_MS = 200
const AT_REST = 0.4
/** A server that never rests collects when V8 wants to. */
const MOST_LOOKS = 40
const FROM_BYTES = 64 * 2 ** 20
/** Amended snapshots come soon after one another, and are mostly the same. */
const LEAST_GAP_MS = 5_000
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
export function createCollectBetween({
  pauseMs = PAUSE_MS,
  fromBytes = FROM_BYTES,
  collect = nudge,
}: CollectOptions = {}): CollectBetween {
  let timer: NodeJS.Timeout | null = null
  let collectedAtMs = Number.NEGATIVE_INFINITY

  keepHeapSmall()

  function after(ms: number, then: () => void): void {
    timer = setTimeout(() => {
      timer = null
      then()
    }, ms)
    timer.unref()
  }

  function look(since: EventLoopUtilization, looks: number): void {
    after(LOOK_MS, () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, since)
      if (utilization > AT_REST) {
        if (looks < MOST_LOOKS) look(now, looks + 1)
      } else if (getHeapStatistics().used_heap_size >= fromBytes) {
        collectedAtMs = performance.now()
        collect()
      }
    })
  }

  return {
    taken() {
      if (timer !== null || performance.now() - collectedAtMs < LEAST_GAP_MS) return
      after(pauseMs, () => look(performance.eventLoopUtilization(), 1))
    },
    close() {
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/**
 * How much the heap may grow before V8 collects by itself, in percent of what lives: little, so that reading the past
 * at the start does not take memory that is never given back; after a nudge as much as a snapshot makes, so that its
 * middle is left alone. Of a large heap that is a larger part: its snapshots take longer, and what is garbage at their
 * end outlives more collections of what is young. V8 sets the limit as a collection ends, and marks some time before.
 */
const GROWTH_PERCENT = { usually: 30, afterNudge: 55, afterNudgeOfLarge: 110 }
const LARGE_BYTES = 192 * 2 ** 20

/** Of the whole process; left alone it grows to four times what lives in it. */
function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT.usually}`)
}

/** Memory that is never touched takes an address range and no memory. */
function nudge(): void {
  const { afterNudge, afterNudgeOfLarge } = GROWTH_PERCENT
  const percent = getHeapStatistics().used_heap_size < LARGE_BYTES ? afterNudge : afterNudgeOfLarge
  setFlagsFromString(`--heap-growing-percent=${percent}`)
  // Of a large heap marking takes seconds.
  const collected = new PerformanceObserver((list) => {
    const kinds = list.getEntries().map(({ detail }) => (detail as { kind?: number } | undefined)?.kind)
    if (!kinds.includes(constants.NODE_PERFORMANCE_GC_MAJOR)) return
    collected.disconnect()
    keepHeapSmall()
  })
  collected.observe({ entryTypes: ['gc'] })
  try {
    new ArrayBuffer(NUDGE_BYTES)
  } catch {
    // Where not even addresses are left V8 has other reasons to collect.
  }
}
