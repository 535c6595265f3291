import { linkerd } from '../../src/dialects/linkerd.ts'
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

export interface Evaluation {
  readonly situation: Situation
  readonly judgement: Judgement
  readonly verdict: Verdict
  /** Of the domain alone: stitching, assessing, judging, the sentence. */
  readonly seconds: number
}

/** Unix time of a simulation's beginning: an instant that the steps of any axis fall on. */
export const EPOCH = 1_800_000_000

/** What the server would say at an instant of the recording; `silent` has not answered since then. */
export function evaluateAt(
  recording: Recording,
  atSeconds: number,
  silent: { readonly cluster: number; readonly sinceSeconds: number } | null,
): Evaluation {
  const { world } = recording
  const windowSeconds = Math.max(60, 4 * Math.max(...world.clusters.map(({ scrapeSeconds }) => scrapeSeconds)))
  const stepSeconds = windowSeconds / 4
  const newest = Math.floor(atSeconds / stepSeconds)
  const oldest = Math.ceil(windowSeconds / stepSeconds)
  const axis: Axis = { fromSeconds: EPOCH + oldest * stepSeconds, stepSeconds, steps: newest - oldest + 1 }
  const history = Array.from({ length: axis.steps }, (_, step) => (oldest + step) * stepSeconds)
  const clusters = world.clusters.map(({ name }, index): ClusterView => {
    const quiet = silent !== null && silent.cluster === index
    const lastSeconds = quiet ? Math.min(atSeconds, silent.sinceSeconds) : atSeconds
    const read = (instants: readonly number[]) =>
      linkerd.read(name, instants.length, answersOf(recording, index, { instants, windowSeconds }))
    const past = read(history)
    if (quiet) blank(past, history, lastSeconds)
    return {
      name,
      state: quiet ? 'stale' : 'current',
      ageSeconds: atSeconds - lastSeconds,
      now: read([lastSeconds]),
      history: past,
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
