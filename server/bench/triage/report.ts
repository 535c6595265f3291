import { cpus, loadavg } from 'node:os'
import type { HealthyDay } from './healthy.ts'
import type { Outcome } from './judge-incident.ts'
import { KINDS, type Kind } from './sim/draw-incident.ts'
import type { Speed } from './speed.ts'
import { quantile, upperBound } from './statistics.ts'

interface Table {
  readonly text: string
  /** Whether every figure to reach was reached. */
  readonly reached: boolean
}

const WORDS: Readonly<Record<Kind, string>> = {
  latency: 'one workload slow',
  twoLatencies: 'two workloads slow',
  seam: 'a seam between two clusters slow',
  ingress: 'a shared ingress slow',
  failures: 'one workload fails',
  retryStorm: 'one fails, callers retry',
  saturation: 'too few workers, no errors',
  saturationWithErrors: 'too few workers, turned away',
  leak: 'slow leak',
  surge: 'traffic surge over a bottleneck',
  podLoss: 'pods lost',
  neighbours: 'noisy neighbours (any of them)',
  recovered: 'recovered (nobody to be named)',
  silentCluster: "the culprit's cluster is silent (nobody to be named, at any look)",
  unmeshed: 'the culprit has no proxy (the call to it, or nobody)',
}

/** Kinds with one culprit all of whose ends are visible. */
const SINGLE: readonly Kind[] = [
  'latency',
  'seam',
  'ingress',
  'failures',
  'retryStorm',
  'saturation',
  'saturationWithErrors',
  'leak',
  'surge',
  'podLoss',
]

const GOALS = { single: 0.95, both: 0.9, strongOnWrong: 0.005 }

export function machine(): string {
  const [cpu] = cpus()
  const load = loadavg().map((one) => one.toFixed(1))
  const when = `${new Date().toISOString().slice(0, 16)}Z`
  return `${when}, ${cpus().length} x ${cpu?.model.trim() ?? 'CPU'}, Node ${process.version}, load ${load.join(' ')}`
}

export function incidentTable(outcomes: readonly Outcome[]): Table {
  const lines = KINDS.flatMap((kind) => {
    const of = outcomes.filter((outcome) => outcome.kind === kind)
    return of.length === 0 ? [] : [rowOf(WORDS[kind], of, kind === 'twoLatencies')]
  })
  const single = outcomes.filter(({ kind }) => SINGLE.includes(kind))
  const double = outcomes.filter(({ kind }) => kind === 'twoLatencies')
  const silent = outcomes.filter(({ kind }) => kind === 'silentCluster')
  const strong = outcomes.filter(({ strongOnWrong }) => strongOnWrong)
  const goals = [
    goal('prime suspect right, one culprit, all ends visible', single, ({ right }) => right, GOALS.single),
    goal('both found of two', double, ({ allFound }) => allFound, GOALS.both),
    goal('"cannot say" where the culprit is invisible', silent, ({ right }) => right, 1),
    {
      line: `| "strong" on a wrong one, at any look | ${percent(strong.length / outcomes.length)} (${strong.length} of ${outcomes.length}; at most ${percent(upperBound(strong.length, outcomes.length))}) | <= ${percent(GOALS.strongOnWrong)} |`,
      reached: strong.length / outcomes.length <= GOALS.strongOnWrong,
    },
  ]
  const looks = outcomes.map(({ seconds }) => seconds * 1_000)
  const sizes = outcomes.map(({ workloads }) => workloads)
  const requests = outcomes.reduce((sum, one) => sum + one.requests, 0)
  const text = [
    `${outcomes.length} incidents, ${(requests / 1e6).toFixed(0)} million simulated requests, ${Math.min(...sizes)} to ${Math.max(...sizes)} workloads (median ${quantile(sizes, 0.5)})`,
    '',
    '| incident | number | prime suspect right | wrong at most (95 %) | all culprits found | said strong | strong on a wrong one |',
    '|---|---|---|---|---|---|---|',
    ...lines,
    '',
    '| what | measured | to reach |',
    '|---|---|---|',
    ...goals.map(({ line, reached }) => `${line} ${reached ? 'met' : 'MISSED'} |`),
    `| time per evaluation (stitch, assess, judge, verdict) | median ${quantile(looks, 0.5).toFixed(1)} ms, p95 ${quantile(looks, 0.95).toFixed(1)} ms | | |`,
    '',
  ].join('\n')
  return { text, reached: goals.every(({ reached }) => reached) }
}

function rowOf(name: string, of: readonly Outcome[], several: boolean): string {
  const right = of.filter((outcome) => outcome.right).length
  const found = of.filter((outcome) => outcome.allFound).length
  const strong = of.filter(({ word }) => word === 'strong').length
  const wrong = of.filter(({ strongOnWrong }) => strongOnWrong).length
  const bound = percent(upperBound(of.length - right, of.length))
  const all = several ? percent(found / of.length) : ''
  return `| ${name} | ${of.length} | ${percent(right / of.length)} | ${bound} | ${all} | ${strong} | ${wrong} |`
}

function goal(
  what: string,
  of: readonly Outcome[],
  hit: (outcome: Outcome) => boolean,
  least: number,
): { line: string; reached: boolean } {
  const hits = of.filter(hit).length
  const share = of.length === 0 ? 1 : hits / of.length
  const missed = percent(upperBound(of.length - hits, of.length))
  return {
    line: `| ${what} | ${percent(share)} (${hits} of ${of.length}; wrong at most ${missed}) | >= ${percent(least)} |`,
    reached: share >= least,
  }
}

/** A row for each world that a day of is known; `worlds` and `days`: how many there have to be. */
export function healthyTable(
  outcomes: readonly HealthyDay[],
  { worlds, days }: { readonly worlds: number; readonly days: number },
): Table {
  const lines = [...new Set(outcomes.map(({ seed }) => seed))].map((seed) => {
    const known = outcomes.filter((outcome) => outcome.seed === seed)
    const sum = (pick: (day: HealthyDay) => number) => known.reduce((total, day) => total + pick(day), 0)
    const size = `${known[0]?.workloads} in ${known[0]?.clusters}`
    const [evaluations, wrong] = [sum((day) => day.evaluations), sum((day) => day.false.length)]
    const each = (1_000 * sum(({ seconds }) => seconds)) / evaluations
    return `| ${seed} | ${size} | ${known.length} of ${days} | ${evaluations} | ${wrong} | ${each.toFixed(2)} ms |`
  })
  const wrong = outcomes.flatMap((outcome) => outcome.false.slice(0, 3).map((one) => ({ ...one, seed: outcome.seed })))
  const text = [
    '| healthy world | workloads | days | evaluations | false verdicts (to reach: 0) | time per evaluation |',
    '|---|---|---|---|---|---|',
    ...lines,
    ...wrong.map(({ seed, atSeconds, text: said }) => `seed ${seed}, hour ${(atSeconds / 3_600).toFixed(2)}: ${said}`),
    '',
  ].join('\n')
  return { text, reached: outcomes.length >= worlds * days && wrong.length === 0 }
}

const MOST_MS = 200

export function speedTable({ workloads, edges, foci, rounds }: Speed): Table {
  const total = rounds.map(({ accountsMs, rankingMs, fociMs }) => accountsMs + rankingMs + fociMs)
  const middle = (pick: (round: Speed['rounds'][number]) => number) => quantile(rounds.map(pick), 0.5).toFixed(0)
  const median = quantile(total, 0.5)
  const parts = `accounts ${middle((one) => one.accountsMs)}, fleet ranking ${middle((one) => one.rankingMs)}, ${foci} foci ${middle((one) => one.fociMs)}`
  const text = [
    '| what | measured | to reach |',
    '|---|---|---|',
    `| own times, ${workloads} workloads, ${edges} edges, one core | median ${median.toFixed(0)} ms (${parts}), best ${Math.min(...total).toFixed(0)} ms | < ${MOST_MS} ms: ${median < MOST_MS ? 'met' : 'MISSED'} |`,
    '',
  ].join('\n')
  return { text, reached: median < MOST_MS }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 2 : 1)} %`
}
