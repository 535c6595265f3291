import type { Axis } from '../domain/baseline.ts'

const ALIGN_SECONDS = 5
/** The newest scrape needs a moment to be in. */
const LAG_SECONDS = 2
const HISTORY_SECONDS = 4_500

/** The newest instant to ask for: aligned, so that one question has one answer, and lagged a little. */
export function newestInstant(nowSeconds: number): number {
  return Math.floor((nowSeconds - LAG_SECONDS) / ALIGN_SECONDS) * ALIGN_SECONDS
}

/** Scrapes that were under way are in by then, and what a Prometheus held back while it was busy. */
const SETTLED_SECONDS = 60

/** Whether an answer about this instant would be the same at any later time. */
export function isSettled(atSeconds: number, nowSeconds: number): boolean {
  return atSeconds <= nowSeconds - SETTLED_SECONDS
}

/** How far the instants of two snapshots in a row lie apart at most, while somebody watches. */
export function longestApart(refreshSeconds: number): number {
  return refreshSeconds + ALIGN_SECONDS
}

/**
 * How old what is asked for every so often may be in a snapshot: one that was taken just before it fell due stands until the
 * next refresh.
 */
export function oldestShown(everySeconds: number, refreshSeconds: number): number {
  return everySeconds + Math.max(refreshSeconds, ALIGN_SECONDS)
}

/** Whether what may be so old can still be there when the next snapshot is taken. */
export function outlivesRefresh(oldestSeconds: number, refreshSeconds: number): boolean {
  return Math.max(refreshSeconds, ALIGN_SECONDS) < oldestSeconds
}

/** The history's steps up to an instant: a quarter of the rate window apart, 300 at a rate window of a minute. */
export function axisTo(atSeconds: number, windowSeconds: number): Axis {
  const stepSeconds = windowSeconds / 4
  const steps = Math.round(Math.max(HISTORY_SECONDS, 75 * windowSeconds) / stepSeconds)
  const last = Math.floor(atSeconds / stepSeconds) * stepSeconds
  return { fromSeconds: last - (steps - 1) * stepSeconds, stepSeconds, steps }
}
