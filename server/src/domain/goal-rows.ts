import { type Budget, type BurnGrade, type GoalCounts, latencyBudget, successBudget } from './burn.ts'
import type { LatencyMeasure, OwnGoals } from './goals.ts'
import { type Golden, type GoldenReading, PERCENTILES, type Truth } from './golden.ts'
import { exactPercent, perSecond, seconds, times } from './phrase.ts'
import type { Trouble } from './trouble.ts'

/** `asUsual`, `worse` and `better` where no goal is set: then the usual value is the measure. */
export type GoalVerdict = 'met' | 'missed' | 'tooFew' | 'noTraffic' | 'unknown' | 'asUsual' | 'worse' | 'better'

/** One line of Goal / Usual / Now / Verdict. Values are ratios, seconds, or requests per second, as `measure` says. */
export interface GoalRow {
  readonly measure: 'successRatio' | 'requestsPerSecond' | LatencyMeasure
  readonly goal: number | null
  readonly usual: number | null
  readonly now: number | null
  readonly truth: Truth
  readonly verdict: GoalVerdict
  readonly text: string
  /** Null where there is no goal, or none that a share of requests can miss. */
  readonly budget: Budget | null
}

export interface GoalsGiven {
  readonly goals: OwnGoals | null
  readonly reading: GoldenReading
  readonly usual: Golden
  readonly trouble: Trouble
  readonly counts: GoalCounts | null
}

/** With fewer requests or failures than these a ratio says nothing about a goal. */
const LEAST_REQUESTS = 100
const LEAST_FAILURES = 5
const LEAST_FOR_MEAN = 20
/** Where a goal is kept, failures that come in a smaller part of all rate windows than this are more than chance. */
const BY_CHANCE = 0.001
/** A change that is worth a word where no goal is set. */
const BETTER = 0.5
const STEP = 1.5

const MEASURES: readonly LatencyMeasure[] = ['mean', 'p50', 'p95', 'p99', 'p999']

/** The goals of one workload against what it does; without goals, success, latency and rate against what is usual. */
export function goalRows(given: GoalsGiven): GoalRow[] {
  const { goals } = given
  if (goals === null) return defaultRows(given)
  const latencies = MEASURES.flatMap((measure) => {
    const goal = goals.latencySeconds[measure]
    return goal === undefined ? [] : [latencyRow(measure, goal, goals, given)]
  })
  return [
    ...(goals.successRatio === null ? [] : [successRow(goals.successRatio, goals, given)]),
    ...latencies,
    ...(goals.leastRequestsPerSecond === null ? [] : [rateRow(goals.leastRequestsPerSecond, given)]),
  ]
}

/** How bad it is that goals are missed: what burns counts; of a mean or a rate, which have no budget, that it is missed. */
export function goalGrade(rows: readonly GoalRow[]): BurnGrade {
  const grades = rows.map(rowGrade)
  return grades.includes('crit') ? 'crit' : grades.includes('warn') ? 'warn' : 'none'
}

function rowGrade({ budget, verdict, goal }: GoalRow): BurnGrade {
  if (budget !== null && budget.grade !== 'none') return budget.grade
  return goal !== null && verdict === 'missed' ? 'warn' : 'none'
}

/** Missed goals in words, for a row's notes and for sentences: "success 98.4 % (goal 99.9 %)". */
export function missedGoals(rows: readonly GoalRow[]): string[] {
  const missed: string[] = []
  for (const { goal, verdict, budget, text } of rows) {
    const burning = budget !== null && budget.grade !== 'none'
    if (goal !== null && (verdict === 'missed' || burning)) missed.push(text)
  }
  return missed
}

function successRow(goal: number, goals: OwnGoals, { reading, usual, counts }: GoalsGiven): GoalRow {
  const { successRatio: now, sampleCount, failuresPerSecond, requestsPerSecond } = reading.golden
  const failures =
    sampleCount === null || !requestsPerSecond ? 0 : (sampleCount * (failuresPerSecond ?? 0)) / requestsPerSecond
  const truth = reading.truths.successRatio
  const few = (sampleCount ?? 0) < LEAST_REQUESTS && failures < LEAST_FAILURES
  const kept = now !== null && now >= goal
  const verdict =
    unjudged(truth, now) ?? (few ? 'tooFew' : kept ? 'met' : unkept(failures, (1 - goal) * (sampleCount ?? 0)))
  const budget = successBudget(goal, goals, counts)
  const said = now === null ? 'success is not known' : `success ${exactPercent(now)}`
  const text = `${said} (goal ${exactPercent(goal)})${burnText(budget)}`
  return { measure: 'successRatio', goal, usual: usual.successRatio, now, truth, verdict, text, budget }
}

/**
 * What a success ratio below its goal says, with so many failures where the goal allows for `expected`. Few do not prove
 * that it is missed, and it counts as met only where chance explains them.
 */
function unkept(failures: number, expected: number): GoalVerdict {
  if (failures >= LEAST_FAILURES) return 'missed'
  return chanceOf(Math.round(failures), expected) >= BY_CHANCE ? 'met' : 'tooFew'
}

/** How likely a Poisson count around `expected` is to reach `count`: a spread says little of counts as small as these. */
function chanceOf(count: number, expected: number): number {
  let [fewer, exactly] = [0, Math.exp(-expected)]
  for (let at = 0; at < count; at += 1) {
    fewer += exactly
    exactly *= expected / (at + 1)
  }
  return 1 - fewer
}

function latencyRow(measure: LatencyMeasure, goal: number, goals: OwnGoals, given: GoalsGiven): GoalRow {
  const { reading, usual, counts } = given
  const now = reading.golden.latencySeconds[measure]
  const truth = reading.truths[measure]
  const verdict =
    unjudged(truth, now) ?? (fewFor(measure, reading.golden) ? 'tooFew' : latencyVerdict(now, goal, truth))
  const budget = measure === 'mean' ? null : latencyBudget(measure, goals, counts)
  const beyond = truth === 'offScale' ? 'more than ' : ''
  const said =
    now === null ? `${spokenMeasure(measure)} is not known` : `${spokenMeasure(measure)} ${beyond}${seconds(now)}`
  const text = `${said} (goal ${seconds(goal)})${burnText(budget)}${straddled(measure, goal, reading)}`
  return { measure, goal, usual: usual.latencySeconds[measure], now, truth, verdict, text, budget }
}

function rateRow(goal: number, { reading, usual }: GoalsGiven): GoalRow {
  const now = reading.golden.requestsPerSecond
  const truth = reading.truths.requestsPerSecond
  // No requests are the clearest way to miss a least rate; a cluster that is silent is not.
  const verdict = truth === 'stale' || truth === 'neverSeen' ? 'unknown' : (now ?? 0) >= goal ? 'met' : 'missed'
  const text = `${perSecond(now ?? 0)} (goal at least ${perSecond(goal)})`
  return {
    measure: 'requestsPerSecond',
    goal,
    usual: usual.requestsPerSecond,
    now,
    truth,
    verdict,
    text: verdict === 'unknown' ? 'the rate is not known' : text,
    budget: null,
  }
}

function unjudged(truth: Truth, now: number | null): GoalVerdict | null {
  if (truth === 'noTraffic') return 'noTraffic'
  return now === null || truth === 'stale' || truth === 'neverSeen' ? 'unknown' : null
}

function latencyVerdict(now: number | null, goal: number, truth: Truth): GoalVerdict {
  if (now === null) return 'unknown'
  // The number is the last finite bound: it says that the goal is missed, or nothing.
  if (truth === 'offScale') return now >= goal ? 'missed' : 'unknown'
  return now <= goal ? 'met' : 'missed'
}

function fewFor(measure: LatencyMeasure, { sampleCount, percentiles }: Golden): boolean {
  if (measure === 'mean') return (sampleCount ?? 0) < LEAST_FOR_MEAN
  const least = PERCENTILES.find(({ name }) => name === measure)?.leastSamples ?? 0
  return (percentiles?.sampleCount ?? 0) < least
}

/** A goal inside the bucket that the percentile fell into is judged by interpolation, which has to be said. */
function straddled(measure: LatencyMeasure, goal: number, { bounds }: GoldenReading): string {
  const bucket = measure === 'mean' ? null : bounds[measure]
  if (bucket === null || bucket[1] === null || goal <= bucket[0] || goal >= bucket[1]) return ''
  return `; judged inside its bucket of ${seconds(bucket[0])} to ${seconds(bucket[1])}`
}

function burnText(budget: Budget | null): string {
  const firing = budget?.burns.find((burn) => burn.firing === true)
  if (firing === undefined) return ''
  return `; its error budget burns ${times(firing.shortRate ?? 0).slice(1)} times too fast`
}

function spokenMeasure(measure: LatencyMeasure): string {
  return measure === 'p999' ? 'p99.9' : measure
}

function defaultRows({ reading, usual, trouble }: GoalsGiven): GoalRow[] {
  const measure = reading.golden.latencySeconds.p99 !== null && usual.latencySeconds.p99 !== null ? 'p99' : 'mean'
  const latencies = { now: reading.golden.latencySeconds[measure], usual: usual.latencySeconds[measure] }
  const row = (
    name: GoalRow['measure'],
    values: { now: number | null; usual: number | null },
    worse: boolean,
    better: boolean,
  ): GoalRow => {
    const truth = reading.truths[name]
    const known = values.usual !== null
    const verdict =
      unjudged(truth, values.now) ?? (!known ? 'unknown' : worse ? 'worse' : better ? 'better' : 'asUsual')
    const text = known ? 'no goal is set: compared with what is usual' : 'no goal is set, and no usual value is known'
    return { measure: name, goal: null, ...values, truth, verdict, text, budget: null }
  }
  const rates = { now: reading.golden.requestsPerSecond, usual: usual.requestsPerSecond }
  const successes = { now: reading.golden.successRatio, usual: usual.successRatio }
  const fallen = rates.now !== null && rates.usual !== null && rates.now * STEP < rates.usual
  const faster = latencies.now !== null && latencies.usual !== null && latencies.now < BETTER * latencies.usual
  return [
    row('successRatio', successes, trouble.failures !== 'none', false),
    row(measure, latencies, trouble.latency !== 'none', faster && trouble.latency === 'none'),
    row('requestsPerSecond', rates, fallen, false),
  ]
}
