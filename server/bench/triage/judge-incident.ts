import type { Word } from '../../src/domain/suspects.ts'
import { Evaluator } from './evaluate.ts'
import { drawIncident, type Incident, type Kind } from './sim/draw-incident.ts'
import { drawWorld } from './sim/draw-world.ts'
import { isFelt } from './sim/felt.ts'
import { simulate } from './sim/simulate.ts'
import type { SimWorld } from './sim/types.ts'

export interface Outcome {
  readonly kind: Kind
  readonly seed: number
  readonly workloads: number
  readonly form: string
  readonly named: string | null
  readonly word: Word | null
  /** Who should have been named, for whoever looks into a miss. */
  readonly culprits: readonly (readonly string[])[]
  /** The one that is named first is a culprit; for kinds without one: nobody was named (in the dark: at any look). */
  readonly right: boolean
  /** Each culprit is among the suspects (a group: one of it). */
  readonly allFound: boolean
  /** Among the looks from the onset on: somebody innocent was called a strong suspect. */
  readonly strongOnWrong: boolean
  readonly looks: number
  readonly seconds: number
  readonly requests: number
  readonly text: string
}

const LOOK_SECONDS = 30

/**
 * Draws a world of the seed, lets one thing go wrong in it, and holds the verdict against what was done. Null where the
 * world has no place for this kind, or nobody in front of it felt anything.
 */
export function judgeIncident(kind: Kind, seed: number): Outcome | null {
  const world = drawWorld({ seed })
  const incident = drawIncident(world, kind, seed)
  if (incident === null) return null
  const recording = simulate(incident.world, incident.effects, incident.untilSeconds)
  if (kind !== 'recovered' && !isFelt(incident, recording)) return null
  const silent = incident.silent === null ? null : { cluster: incident.silent, sinceSeconds: incident.onsetSeconds - 5 }
  const evaluator = new Evaluator(recording, silent)
  const culprits = incident.culprits.map((culprit) => idsOf(incident.world, culprit))
  let [strongOnWrong, everNamed] = [false, false]
  let looks = 0
  const last = Math.floor(incident.untilSeconds / 5) * 5
  for (let at = incident.onsetSeconds + LOOK_SECONDS; at < last - 10; at += LOOK_SECONDS) {
    const { verdict } = evaluator.at(at)
    looks += 1
    if (verdict.suspect !== null) everNamed = true
    if (verdict.word === 'strong' && !isOneOf(verdict.suspect, culprits)) strongOnWrong = true
  }
  const { verdict, judgement, seconds } = evaluator.at(last)
  const named = verdict.suspect
  if (verdict.word === 'strong' && !isOneOf(named, culprits)) strongOnWrong = true
  const suspects = judgement.suspects.map(({ id }) => id)
  return {
    kind,
    seed,
    workloads: world.workloads.length,
    form: verdict.form,
    named,
    word: verdict.word,
    culprits,
    right: kind === 'silentCluster' ? named === null && !everNamed : isRight(incident, named, culprits),
    allFound: culprits.every((ids) => suspects.some((id) => ids.includes(id))),
    strongOnWrong,
    looks: looks + 1,
    seconds,
    requests: recording.requests,
    text: verdict.text,
  }
}

function isRight({ kind, world }: Incident, named: string | null, culprits: readonly (readonly string[])[]): boolean {
  if (kind === 'recovered') return named === null
  // Nobody sees into it: the time has to land on the call to it, and on nobody who is seen.
  if (kind === 'unmeshed') return named === null || culprits.some((ids) => ids.some((id) => named === id))
  return world.workloads.length > 0 && isOneOf(named, culprits)
}

function isOneOf(named: string | null, culprits: readonly (readonly string[])[]): boolean {
  return named !== null && culprits.some((ids) => ids.includes(named))
}

function idsOf(world: SimWorld, { workloads, calls }: Incident['culprits'][number]): string[] {
  const id = (index: number) => {
    const workload = world.workloads[index]
    return `${world.clusters[workload?.cluster ?? 0]?.name}/${workload?.namespace}/${workload?.name}`
  }
  const ways = calls.flatMap((index) => {
    const call = world.calls[index]
    if (call === undefined) return []
    const behind = world.calls.find(({ style, host }) => style === 'forward' && host === call.host)
    const end = call.style === 'ingress' && behind !== undefined ? behind.to : call.to
    return [`${id(call.from)}~${id(end)}`, `${id(call.from)}~${id(call.to)}`]
  })
  return [...workloads.map(id), ...ways]
}
