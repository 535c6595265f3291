/** The time that a call has, in seconds: it can be stopped while the call waits for something else than the endpoint. */
export interface CallClock {
  /** Stands from now on until what it returns is called; several may hold it at once. */
  hold(): () => void
  end(): void
}

const clocks = new WeakMap<AbortSignal, CallClock>()

/** Calls `onOver` once it has run for so long, not counting while it was held. Found by the signal of the call. */
export function startCallClock(signal: AbortSignal, seconds: number, onOver: () => void): CallClock {
  let leftMs = seconds * 1_000
  let startedMs = performance.now()
  let timer: NodeJS.Timeout | undefined = setTimeout(onOver, leftMs)
  let holders = 0
  let isOver = false
  const clock: CallClock = {
    hold() {
      holders += 1
      if (holders === 1) {
        clearTimeout(timer)
        leftMs = Math.max(0, leftMs - (performance.now() - startedMs))
      }
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        holders -= 1
        if (holders > 0 || isOver) return
        startedMs = performance.now()
        timer = setTimeout(onOver, leftMs)
      }
    },
    end() {
      isOver = true
      clearTimeout(timer)
    },
  }
  clocks.set(signal, clock)
  return clock
}

/**
 * Stops the clock of the call that has this signal, if there is one, until what it returns is called: what Goldseam takes
 * to read an answer that is here, beside others, says nothing about the endpoint that gave it.
 */
export function holdCallClock(signal: AbortSignal): () => void {
  return clocks.get(signal)?.hold() ?? (() => undefined)
}
