import type { Column } from './columns.ts'

/**
 * The one in the middle, of two in the middle the lower; 0 of none. Pods are compared with it: of two of them the upper
 * one is the busiest itself, which has nothing beside it.
 */
export function lowerMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0
}

/** The busiest against the middle one, of two against the other; null for fewer, and where the middle one is idle. */
export function maxOverMedian(loads: readonly number[]): number | null {
  const median = lowerMedian(loads)
  return loads.length < 2 || median <= 0 ? null : Math.max(...loads) / median
}

/** Differences in load below this part are a draw: pods of equal load change places all the time. */
const DRAW = 0.1

/**
 * How often two pods swap places by load, per minute. Counted from step to step, each pair whose order turned round by
 * more than a tenth.
 */
export function rankChangesPerMinute(loads: readonly Column[], stepSeconds: number): number | null {
  const steps = loads[0]?.length ?? 0
  if (loads.length < 2 || steps < 2) return null
  let changes = 0
  for (let a = 0; a < loads.length; a += 1) {
    for (let b = a + 1; b < loads.length; b += 1) {
      let before = 0
      for (let step = 0; step < steps; step += 1) {
        const order = orderOf(loads[a]?.[step], loads[b]?.[step])
        if (order !== 0 && before !== 0 && order !== before) changes += 1
        if (order !== 0) before = order
      }
    }
  }
  return (changes * 60) / ((steps - 1) * stepSeconds)
}

function orderOf(a = Number.NaN, b = Number.NaN): -1 | 0 | 1 {
  if (!(Math.abs(a - b) > DRAW * Math.max(a, b))) return 0
  return a > b ? 1 : -1
}

/** The hash that tells one rollout's pods from another's: `web-7c9f4d-x2x1p` of `web` gives `7c9f4d`. */
export function versionOf(pod: string, workload: string): string | null {
  const rest = pod.startsWith(`${workload}-`) ? pod.slice(workload.length + 1) : ''
  return /^([a-z0-9]{4,12})-[a-z0-9]{3,}$/.exec(rest)?.[1] ?? null
}
