import { type Axis, instantOf } from '../baseline.ts'
import { quantileOf } from '../columns.ts'
import type { LatencyMeasure, OwnGoals } from '../goals.ts'
import { PERCENTILES } from '../golden.ts'
import { latencyQuantile } from '../latency-histogram.ts'
import { exactPercent, seconds } from '../phrase.ts'
import { type Flow, flowAt, type Traffic } from '../traffic.ts'

/** A rate that was reached, requests per second over one step, and when (unix seconds, the step's end). */
export interface Reached {
  readonly requestsPerSecond: number
  readonly atSeconds: number
}

/** What a workload has carried over a stretch of the past. */
export interface Carried {
  /** The highest rate at which it kept all of its goals; null: never seen. */
  readonly kept: Reached | null
  /** The lowest rate above `kept` at which it did not; null: it was never asked for more. */
  readonly broke: (Reached & { readonly why: string }) | null
  /** Steps that could be judged, and how long each is. */
  readonly judgedSteps: number
  readonly stepSeconds: number
  /** What it was held against, in words. */
  readonly heldTo: string
  /** Whether somebody set goals for it. */
  readonly goals: boolean
}

/** Fewer requests in a step say nothing about how it does under load. */
const LEAST_REQUESTS = 20
/** What a workload without goals is held to. */
const UNSET = { failedShare: 0.01, timesMedian: 2 }

/** Goes through the past step by step; `goals` null: held to few failures and to its own median. */
export function carriedWithin(traffic: Traffic, axis: Axis, goals: OwnGoals | null): Carried {
  const flows: { readonly flow: Flow; readonly rate: number; readonly atSeconds: number }[] = []
  for (let step = 0; step < axis.steps; step += 1) {
    const flow = flowAt(traffic, step)
    const rate = flow.requestsPerSecond
    if (rate === null || rate * axis.stepSeconds < LEAST_REQUESTS) continue
    flows.push({ flow, rate, atSeconds: instantOf(axis, step) })
  }
  const means = flows.flatMap(({ flow }) => flow.meanSeconds ?? [])
  const limits = goals === null ? ownLimits(quantileOf(means, 0.5)) : limitsOf(goals)
  const judged = flows.flatMap(({ flow, rate: requestsPerSecond, atSeconds }) => {
    const broken = limits.flatMap((limit) => limit.broken(flow) ?? [])
    const known = limits.every((limit) => limit.broken(flow) !== undefined)
    return known || broken.length > 0 ? [{ requestsPerSecond, atSeconds, why: broken[0] ?? null }] : []
  })
  const kept = judged
    .filter(({ why }) => why === null)
    .reduce<Reached | null>((most, one) => (one.requestsPerSecond > (most?.requestsPerSecond ?? 0) ? one : most), null)
  const above = judged.flatMap(({ why, ...one }) =>
    why !== null && one.requestsPerSecond > (kept?.requestsPerSecond ?? 0) ? [{ ...one, why }] : [],
  )
  const broke = above.reduce<Carried['broke']>(
    (least, one) => (least === null || one.requestsPerSecond < least.requestsPerSecond ? one : least),
    null,
  )
  return {
    kept: kept === null ? null : { requestsPerSecond: kept.requestsPerSecond, atSeconds: kept.atSeconds },
    broke,
    judgedSteps: judged.length,
    stepSeconds: axis.stepSeconds,
    heldTo: limits.map(({ words }) => words).join(', '),
    goals: goals !== null,
  }
}

/** A limit; `broken` gives the words where it is, null where it is kept, undefined where nobody knows. */
interface Limit {
  readonly words: string
  broken(flow: Flow): string | null | undefined
}

function limitsOf(goals: OwnGoals): Limit[] {
  const latencies = Object.entries(goals.latencySeconds) as [LatencyMeasure, number][]
  return [
    ...(goals.successRatio === null ? [] : [successLimit(goals.successRatio)]),
    ...latencies.map(([measure, most]) => latencyLimit(measure, most)),
  ]
}

function ownLimits(medianSeconds: number | null): Limit[] {
  const few = successLimit(1 - UNSET.failedShare)
  if (medianSeconds === null) return [few]
  const usual = latencyLimit('mean', UNSET.timesMedian * medianSeconds)
  return [few, { ...usual, words: `mean below twice its median (${seconds(medianSeconds)})` }]
}

function successLimit(least: number): Limit {
  return {
    words: `success ${exactPercent(least)}`,
    broken({ requestsPerSecond, failuresPerSecond }) {
      if (!requestsPerSecond || failuresPerSecond === null) return undefined
      const ratio = 1 - failuresPerSecond / requestsPerSecond
      return ratio >= least ? null : `success ${exactPercent(ratio)}`
    },
  }
}

function latencyLimit(measure: LatencyMeasure, most: number): Limit {
  const name = measure === 'p999' ? 'p99.9' : measure
  return {
    words: `${name} ${seconds(most)}`,
    broken(flow) {
      const value = measure === 'mean' ? flow.meanSeconds : percentileOf(flow, measure)
      if (value === null) return undefined
      return value <= most ? null : `${name} ${seconds(value)}`
    },
  }
}

function percentileOf({ histogram }: Flow, measure: Exclude<LatencyMeasure, 'mean'>): number | null {
  const q = PERCENTILES.find(({ name }) => name === measure)?.q
  return histogram === null || q === undefined ? null : (latencyQuantile(q, histogram)?.value ?? null)
}
