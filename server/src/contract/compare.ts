import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { GoalRow } from './goals.ts'
import { Bounds, Golden, Measured, Truths } from './golden.ts'
import { Scope } from './scope.ts'
import { answerHead, Time } from './snapshot.ts'
import { Series } from './workload.ts'

/**
 * `*`, `cluster`, `cluster/namespace` or `cluster/namespace/name`; then, each after an `@`, a version of a workload
 * (`v:7c9f`) and a window (`2026-11-21T02:45Z~2026-11-21T03:15Z`, `now-1h~now-30m`).
 */
export const SideText = z.string().max(400)

const MOVING = /(?<=[@~])now(-[\d.]+[smhd])?(?=~|@|$)/g

/** A side whose window ends with time, made one of instants: `instantOf` tells what `now` or `now-1h` is. */
export function frozenSide(side: string, instantOf: (text: string) => string): string {
  return side.replace(MOVING, (text) => instantOf(text))
}

export const CompareScope = Scope.extend({ a: SideText.optional(), b: SideText.optional() }).meta({
  id: 'CompareScope',
})
export type CompareScope = z.infer<typeof CompareScope>

export const CompareSide = z
  .object({
    text: z.string(),
    clusters: z.array(z.string()),
    namespace: z.string().nullable(),
    name: z.string().nullable(),
    version: z.string().nullable(),
    from: Time,
    to: Time,
    /** Where its mean moved most; null where it did not move. */
    onset: Time.nullable(),
    /** Its clusters that did not answer: what is shown of it is a part. */
    missing: z.array(z.string()),
    /** Over time, all of it added up. */
    series: Series,
    /** The same with percentiles, in steps as fine as its buckets allow. */
    percentiles: Series,
  })
  .meta({ id: 'CompareSide' })
export type CompareSide = z.infer<typeof CompareSide>

/** A goal of the config, judged over the side's window. */
export const CompareGoal = GoalRow.pick({ measure: true, goal: true, verdict: true, text: true }).meta({
  id: 'CompareGoal',
})
export type CompareGoal = z.infer<typeof CompareGoal>

export const CompareCell = z
  .object({
    id: z.string().nullable(),
    golden: Golden,
    truths: Truths,
    bounds: Bounds,
    /** Of one workload, those that the config sets for it. */
    goals: z.array(CompareGoal),
  })
  .meta({ id: 'CompareCell' })
export type CompareCell = z.infer<typeof CompareCell>

/** `same`: less than a tenth apart, or within what each varies by itself; `unclear`: too few requests to tell. */
export const Difference = z.enum(['same', 'better', 'worse', 'more', 'less', 'unclear'])
export type Difference = z.infer<typeof Difference>

export const CompareRow = z
  .object({
    /** What both are called: `namespace/name`. */
    key: z.string(),
    a: CompareCell.nullable(),
    b: CompareCell.nullable(),
    /** B against A; null where a side has no number. */
    differences: z.object({
      requestsPerSecond: Difference.nullable(),
      successRatio: Difference.nullable(),
      p50: Difference.nullable(),
      p99: Difference.nullable(),
    }),
    /** The gravest of success and latency. */
    verdict: Difference.nullable(),
    /** b / a of p99 (of the mean where there is none). */
    ratio: Measured,
  })
  .meta({ id: 'CompareRow' })
export type CompareRow = z.infer<typeof CompareRow>

export const Compare = z
  .object({
    ...answerHead,
    a: CompareSide,
    b: CompareSide,
    /** Everything of a side added up. */
    all: CompareRow,
    rows: z.array(CompareRow),
    onlyA: z.array(z.string()),
    onlyB: z.array(z.string()),
    /** Plain words worth knowing: other buckets, windows of other length. */
    notes: z.array(z.string()),
  })
  .meta({ id: 'Compare' })
export type Compare = z.infer<typeof Compare>

export const compare = endpoint({
  path: '/api/v1/compare',
  summary: 'Two of anything side by side: clusters, namespaces, workloads, versions, windows',
  query: CompareScope,
  response: Compare,
})

export const CompareSideScope = CompareScope.extend({ side: z.enum(['a', 'b']) }).meta({ id: 'CompareSideScope' })
export type CompareSideScope = z.infer<typeof CompareSideScope>

export const CompareSideAnswer = z
  .object({
    ...answerHead,
    side: CompareSide,
    /** All of it added up; null where nothing was measured. */
    all: CompareCell.nullable(),
    members: z.array(CompareCell),
  })
  .meta({ id: 'CompareSideAnswer' })
export type CompareSideAnswer = z.infer<typeof CompareSideAnswer>

export const compareSide = endpoint({
  path: '/api/v1/compare/side',
  summary: 'One side of a comparison alone, which waits for nothing that the other one asks',
  query: CompareSideScope,
  response: CompareSideAnswer,
})
