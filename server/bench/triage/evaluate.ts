import { linkerd } from '../../src/dialects/linkerd.ts'
import { readAtOnce } from '../../src/dialects/read-series.ts'
import { assess, type ClusterView } from '../../src/domain/assess.ts'
import type { Axis } from '../../src/domain/baseline.ts'
import { emptyObservation, type Observation } from '../../src/domain/observation.ts'
import { type Situation, situationOf } from '../../src/domain/situation.ts'
import { stitch } from '../../src/domain/stitch/stitch.ts'
import type { StitchConfig } from '../../src/domain/stitch/types.ts'
import { buildWorld } from '../../src/domain/stitch/world.ts'
import { type Judgement, judge } from '../../src/domain/suspects.ts'
import { type Verdict, verdictOf } from '../../src/domain/verdict.ts'
import { addressOf, answersOf } from './answers.ts'
import type { Recording, SimWorld } from './sim/types.ts'
import { stretchOf } from './stretch.ts'

export interface Evaluation {
  readonly situation: Situation
  readonly judgement: Judgement
  readonly verdict: Verdict
  /** Of the domain alone: stitching, assessing, judging, the sentence. */
  readonly seconds: number
}

/** Unix time of a simulation's beginning: an instant that the steps of any axis fall on. */
export const EPOCH = 1_800_000_000

/** A cluster that has not answered since then. */
export interface Silent {
  readonly cluster: number
  readonly sinceSeconds: number
}

/** Reads a recording's whole past once, and says what the server would have said at any instant of it. */
export class Evaluator {
  readonly #recording: Recording
  readonly #silent: Silent | null
  readonly #windowSeconds: number
  readonly #stepSeconds: number
  readonly #oldest: number
  readonly #past: readonly Observation[]

  constructor(recording: Recording, silent: Silent | null) {
    this.#recording = recording
    this.#silent = silent
    const { clusters } = recording.world
    const windowSeconds = Math.max(60, 4 * Math.max(...clusters.map(({ scrapeSeconds }) => scrapeSeconds)))
    const stepSeconds = windowSeconds / 4
    this.#windowSeconds = windowSeconds
    this.#stepSeconds = stepSeconds
    this.#oldest = Math.ceil(windowSeconds / stepSeconds)
    const steps = Math.floor(recording.untilSeconds / stepSeconds) - this.#oldest + 1
    const instants = Array.from({ length: steps }, (_, step) => (this.#oldest + step) * stepSeconds)
    this.#past = clusters.map((_, index) => {
      const past = this.#read(index, instants)
      if (silent?.cluster === index) blank(past, instants, silent.sinceSeconds)
      return past
    })
  }

  at(atSeconds: number): Evaluation {
    const { world } = this.#recording
    const windowSeconds = this.#windowSeconds
    const stepSeconds = this.#stepSeconds
    const steps = Math.floor(atSeconds / stepSeconds) - this.#oldest + 1
    const axis: Axis = { fromSeconds: EPOCH + this.#oldest * stepSeconds, stepSeconds, steps }
    const clusters = world.clusters.map(({ name }, index): ClusterView => {
      const quiet = this.#silent?.cluster === index
      const lastSeconds = quiet ? Math.min(atSeconds, this.#silent?.sinceSeconds ?? atSeconds) : atSeconds
      return {
        name,
        state: quiet ? 'stale' : 'current',
        ageSeconds: atSeconds - lastSeconds,
        now: this.#read(index, [lastSeconds]),
        history: stretchOf(this.#past[index] as Observation, 0, steps),
        compare: null,
      }
    })
    const startedAt = performance.now()
    const stitched = stitch(
      buildWorld(
        clusters.map(({ name, now, history: before }) => ({ now: now ?? emptyObservation(name, 1), before })),
        configOf(world),
      ),
    )
    const at = EPOCH + atSeconds
    const assessment = assess(clusters, axis, at, windowSeconds)
    const situation = situationOf({ atSeconds: at, windowSeconds, axis, clusters, assessment, stitched })
    const judgement = judge(situation)
    const verdict = verdictOf(situation, judgement)
    return { situation, judgement, verdict, seconds: (performance.now() - startedAt) / 1_000 }
  }

  #read(cluster: number, instants: readonly number[]): Observation {
    const name = this.#recording.world.clusters[cluster]?.name ?? ''
    const windowSeconds = this.#windowSeconds
    return readAtOnce(linkerd, name, instants.length, answersOf(this.#recording, cluster, { instants, windowSeconds }))
  }
}

/** Nothing is known of the time since a cluster fell silent. */
function blank(observation: Observation, instants: readonly number[], lastSeconds: number): void {
  const from = instants.findIndex((at) => at > lastSeconds)
  if (from < 0) return
  const flows = [...observation.inbound.values()].map(({ total }) => total)
  for (const traffic of [...flows, ...[...observation.outbound.values()].map((flow) => flow.traffic)]) {
    for (const column of [traffic.success, traffic.failures, traffic.latencySeconds, traffic.latencyCount]) {
      column.fill(Number.NaN, from)
    }
  }
}

/** What an operator would have declared: the ingresses, with their addresses, and what mirrored services stand for. */
export function configOf({ clusters, workloads }: SimWorld): StitchConfig {
  return {
    ingresses: clusters.flatMap(({ name, ingress }, index) =>
      ingress === null
        ? []
        : [{ cluster: name, workload: `${name}/ingress/door`, addresses: [addressOf(index)], hosts: [] }],
    ),
    routes: [],
    services: workloads.map(({ cluster, namespace, name }) => {
      const place = `${clusters[cluster]?.name}/${namespace}/${name}`
      return { service: place, workloads: [place] }
    }),
  }
}
