import { linkerd } from '../../src/dialects/linkerd.ts'
import { readAtOnce } from '../../src/dialects/read-series.ts'
import { assess, type ClusterView } from '../../src/domain/assess.ts'
import type { Axis } from '../../src/domain/baseline.ts'
import { emptyObservation, type Observation } from '../../src/domain/observation.ts'
import { situationOf } from '../../src/domain/situation.ts'
import { stitch } from '../../src/domain/stitch/stitch.ts'
import type { Stitched } from '../../src/domain/stitch/types.ts'
import { buildWorld } from '../../src/domain/stitch/world.ts'
import { judge } from '../../src/domain/suspects.ts'
import { verdictOf } from '../../src/domain/verdict.ts'
import { answersOf } from './answers.ts'
import { configOf, EPOCH } from './evaluate.ts'
import { DAY_SECONDS, healthyWeek, healthyWorld } from './sim/healthy-week.ts'
import type { Recording } from './sim/types.ts'
import { stretchOf } from './stretch.ts'

/** A day of a world's week, its verdicts held against "all quiet". */
export interface HealthyDay {
  readonly seed: number
  readonly day: number
  readonly workloads: number
  readonly clusters: number
  readonly evaluations: number
  /** Each verdict that was not quiet: when, and what it said. */
  readonly false: readonly { readonly atSeconds: number; readonly text: string }[]
  /** Of the domain alone: stitching, assessing, judging, the sentence. */
  readonly seconds: number
}

const EVERY_SECONDS = 10
const HISTORY_STEPS = 300
/** Stitched anew this often: the structure of such a world does not change. */
const STITCHED_SECONDS = 3_600

let drawn: { readonly seed: number; readonly days: number; readonly recording: Recording } | null = null

/** Drawn once for all of its days: a day depends on those before it. */
function weekOf(seed: number, days: number, leadSeconds: number): Recording {
  if (drawn?.seed !== seed || drawn.days !== days) {
    drawn = { seed, days, recording: healthyWeek(seed, leadSeconds + days * DAY_SECONDS) }
  }
  return drawn.recording
}

/** Judges one day of a world in which nothing is wrong, every 10 s; before the first day lies what its history needs. */
export function judgeHealthy(seed: number, days: number, day: number): HealthyDay {
  const { scrapeSeconds } = healthyWorld(seed).clusters[0] ?? { scrapeSeconds: 10 }
  const windowSeconds = Math.max(60, 4 * scrapeSeconds)
  const stepSeconds = windowSeconds / 4
  const recording = weekOf(seed, days, HISTORY_STEPS * stepSeconds)
  const { world } = recording
  const from = HISTORY_STEPS * stepSeconds + day * DAY_SECONDS
  const firstStep = from / stepSeconds - HISTORY_STEPS + 1
  const every = (begin: number, seconds: number, count: number) =>
    Array.from({ length: count }, (_, step) => begin + step * seconds)
  const [past, present] = [
    every(firstStep * stepSeconds, stepSeconds, HISTORY_STEPS + DAY_SECONDS / stepSeconds),
    every(from, EVERY_SECONDS, DAY_SECONDS / EVERY_SECONDS),
  ].map((instants) =>
    world.clusters.map(({ name }, index) =>
      readAtOnce(linkerd, name, instants.length, answersOf(recording, index, { instants, windowSeconds })),
    ),
  ) as [Observation[], Observation[]]
  const found: { atSeconds: number; text: string }[] = []
  let stitched: Stitched | null = null
  let stitchedAt = Number.NEGATIVE_INFINITY
  let history: readonly Observation[] = []
  let [first, evaluations, spent] = [-1, 0, 0]
  for (let at = from; at < from + DAY_SECONDS; at += EVERY_SECONDS) {
    const step = Math.floor(at / stepSeconds) - HISTORY_STEPS + 1
    if (step !== first) history = past.map((whole) => stretchOf(whole, step - firstStep, HISTORY_STEPS))
    first = step
    const axis: Axis = { fromSeconds: EPOCH + first * stepSeconds, stepSeconds, steps: HISTORY_STEPS }
    const clusters = world.clusters.map(({ name }, index): ClusterView => {
      const now = stretchOf(present[index] as Observation, (at - from) / EVERY_SECONDS, 1)
      return { name, state: 'current', ageSeconds: 0, now, history: history[index] ?? null, compare: null }
    })
    const startedAt = performance.now()
    if (stitched === null || at - stitchedAt >= STITCHED_SECONDS) {
      const views = clusters.map(({ name, now, history: before }) => ({
        now: now ?? emptyObservation(name, 1),
        before,
      }))
      stitched = stitch(buildWorld(views, configOf(world)))
      stitchedAt = at
    }
    const assessment = assess(clusters, axis, EPOCH + at, windowSeconds)
    const situation = situationOf({ atSeconds: EPOCH + at, windowSeconds, axis, clusters, assessment, stitched })
    const verdict = verdictOf(situation, judge(situation))
    spent += performance.now() - startedAt
    evaluations += 1
    if (verdict.form !== 'quiet') found.push({ atSeconds: at, text: verdict.text })
  }
  const { workloads, clusters } = world
  const seconds = spent / 1_000
  return { seed, day, workloads: workloads.length, clusters: clusters.length, evaluations, false: found, seconds }
}
