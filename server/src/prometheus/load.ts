const SPAN_SECONDS = 60

/** Adds up what queries cost an endpoint: the seconds each of them was evaluated, or where that is not told took. */
export interface Load {
  spent(seconds: number, atSeconds: number): void
  /** Mean over the last minute. */
  perSecond(atSeconds: number): number
  total(): number
}

export function createLoad(): Load {
  /** By whole second; as few entries as there are seconds. */
  const spentAt = new Map<number, number>()
  let total = 0
  return {
    spent(seconds, atSeconds) {
      total += seconds
      const second = Math.floor(atSeconds)
      spentAt.set(second, (spentAt.get(second) ?? 0) + seconds)
      for (const old of spentAt.keys()) if (old <= second - SPAN_SECONDS) spentAt.delete(old)
    },
    perSecond(atSeconds) {
      let sum = 0
      for (const [second, seconds] of spentAt) if (second > atSeconds - SPAN_SECONDS) sum += seconds
      return sum / SPAN_SECONDS
    },
    total: () => total,
  }
}
