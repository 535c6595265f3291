import { linkerd } from '../../src/dialects/linkerd.ts'
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
import { DAY_SECONDS, healthyWeek } from './sim/healthy-week.ts'
import { stretchOf } from './stretch.ts'

export interface HealthyOutcome {
  readonly seed: number
  readonly workloads: number
  readonly clusters: number
  readonly evaluations: number
  /** Each verdict that was not quiet: when, and what it said. */
  readonly false: readonly { readonly atSeconds: number; readonly text: string }[]
  readonly seconds: number
}

const EVERY_SECONDS = 10
const HISTORY_STEPS = 300
/** Stitched anew this often: the structure of such a world does not change. */
const STITCHED_SECONDS = 3_600

/** Judges a world in which nothing is wrong, every 10 s; the first 75 minutes are its history. */
export function judgeHealthy(seed: number, days: number): HealthyOutcome {
  const recording = healthyWeek(seed, days)
  const { world } = recording
  const windowSeconds = Math.max(60, 4 * Math.max(...world.clusters.map(({ scrapeSeconds }) => scrapeSeconds)))
  const stepSeconds = windowSeconds / 4
  const until = days * DAY_SECONDS
  const steps = (every: number) => Array.from({ length: Math.floor(until / every) }, (_, step) => step * every)
  const [past, present] = [steps(stepSeconds), steps(EVERY_SECONDS)].map((instants) =>
    world.clusters.map(({ name }, index) =>
      linkerd.read(name, instants.length, answersOf(recording, index, { instants, windowSeconds })),
    ),
  ) as [Observation[], Observation[]]
  const found: { atSeconds: number; text: string }[] = []
  let stitched: Stitched | null = null
  let stitchedAt = Number.NEGATIVE_INFINITY
  let evaluations = 0
  let spent = 0
  for (let at = HISTORY_STEPS * stepSeconds; at < until; at += EVERY_SECONDS) {
    const last = Math.floor(at / stepSeconds)
    const first = last - HISTORY_STEPS + 1
    const axis: Axis = { fromSeconds: EPOCH + first * stepSeconds, stepSeconds, steps: HISTORY_STEPS }
    const clusters = world.clusters.map(({ name }, index): ClusterView => {
      const now = stretchOf(present[index] as Observation, at / EVERY_SECONDS, 1)
      const history = stretchOf(past[index] as Observation, first, HISTORY_STEPS)
      return { name, state: 'current', ageSeconds: 0, now, history, compare: null }
    })
    const startedAt = performance.now()
    if (stitched === null || at - stitchedAt >= STITCHED_SECONDS) {
      const views = clusters.map(({ name, now, history }) => ({
        now: now ?? emptyObservation(name, 1),
        before: history,
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
  return { seed, workloads: workloads.length, clusters: clusters.length, evaluations, false: found, seconds }
}
