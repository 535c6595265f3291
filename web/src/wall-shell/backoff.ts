const STEPS_SECONDS = [1, 2, 4, 8, 15, 30]
const JITTER = 0.2

/** Milliseconds until the next try after so many failures in a row: 1, 2, 4, 8, 15, then 30 s for ever, a fifth more or less. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const seconds = STEPS_SECONDS[Math.min(Math.max(failures, 1), STEPS_SECONDS.length) - 1] ?? 30
  return seconds * 1_000 * (1 - JITTER + 2 * JITTER * random())
}
