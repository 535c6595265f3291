import { flowAt, type Traffic } from '../../src/domain/traffic.ts'
import { LOAD_SECONDS } from './exposition.ts'

export interface Counted {
  readonly requests: number
  readonly failures: number
  readonly meanMs: number
}

/** Absorbs what two engines' rates differ by, far below anything that was counted. */
export function rounded(value: number | null | undefined): number {
  return Math.round((value ?? Number.NaN) * 1e6) / 1e6
}

/** The requests that a page must have counted for its traffic to come to these rates; NaN where nothing was counted. */
export function at(traffic: Traffic | undefined): Counted | undefined {
  if (traffic === undefined) return undefined
  const { requestsPerSecond, failuresPerSecond, meanSeconds } = flowAt(traffic, 0)
  return {
    requests: rounded((requestsPerSecond ?? Number.NaN) * LOAD_SECONDS),
    failures: rounded((failuresPerSecond ?? Number.NaN) * LOAD_SECONDS),
    meanMs: rounded((meanSeconds ?? Number.NaN) * 1_000),
  }
}
