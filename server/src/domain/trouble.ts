export type Grade = 'none' | 'warn' | 'crit'

/** How one workload is off its usual. */
export interface Trouble {
  readonly latency: Grade
  /** The grade that latency will have once its deviation has lasted; equal to it from then on. */
  readonly latencySoon: Grade
  readonly failures: Grade
  /** Mean now / usual. */
  readonly ratio: number | null
  /** Since when its mean is out of its band (unix seconds). */
  readonly onsetSeconds: number | null
  /** Since when more of its requests fail than usual (unix seconds). */
  readonly failingSinceSeconds: number | null
}

export const UNTROUBLED: Trouble = {
  latency: 'none',
  latencySoon: 'none',
  failures: 'none',
  ratio: null,
  onsetSeconds: null,
  failingSinceSeconds: null,
}

/** Since when it is off its usual, in whichever way came first; null: not known. Unix seconds. */
export function offSince({ onsetSeconds, failingSinceSeconds }: Trouble): number | null {
  if (onsetSeconds === null || failingSinceSeconds === null) return onsetSeconds ?? failingSinceSeconds
  return Math.min(onsetSeconds, failingSinceSeconds)
}

/** Since when it is slow, or fails, as asked; of the other way where that is not known. Unix seconds. */
export function sinceOf(trouble: Trouble | undefined, way: 'latency' | 'failures'): number | null {
  if (trouble === undefined) return null
  const { onsetSeconds, failingSinceSeconds } = trouble
  return way === 'latency' ? (onsetSeconds ?? failingSinceSeconds) : (failingSinceSeconds ?? onsetSeconds)
}
