import type { ClusterView } from '../../src/domain/assess.ts'
import type { Axis } from '../../src/domain/baseline.ts'
import type { Goal } from '../../src/domain/goals.ts'
import { parseWorkloadId, type WorkloadRef } from '../../src/domain/identity.ts'
import {
  type Destination,
  destinationKey,
  emptyObservation,
  NO_CLUES,
  newInbound,
  type Observation,
} from '../../src/domain/observation.ts'
import { drawPicture, type Picture } from '../../src/domain/picture.ts'
import type { Situation } from '../../src/domain/situation.ts'
import type { StitchConfig } from '../../src/domain/stitch/types.ts'
import { emptyTraffic, type Traffic } from '../../src/domain/traffic.ts'
import { allAtOnce, type Turns } from '../../src/domain/turns.ts'
import type { Verdict } from '../../src/domain/verdict.ts'

export const AT = 1_800_000_000
export const WINDOW_SECONDS = 60
const axis: Axis = { fromSeconds: AT - 299 * 15, stepSeconds: 15, steps: 300 }

/** Seconds of mean latency and failures per second, usually and in trouble. */
export interface Course {
  readonly rate: number
  readonly usual: number
  readonly now: number
  readonly failing?: number
  /** The rate in trouble, where it is another. */
  readonly rateNow?: number
  /** Another mean (and rate) in trouble since this many steps ago. */
  readonly later?: { readonly stepsAgo: number; readonly now: number; readonly rate?: number }
}

/** A rate that stays, and a mean that moves; `failing` failures per second while it lasts. */
export const course = (rate: number, usual: number, now: number, failing = 0): Course => ({ rate, usual, now, failing })

export interface Given {
  readonly nodes: Readonly<Record<string, Course>>
  /** `to`: a workload, or `host:NAME` for what is outside the mesh. */
  readonly calls: readonly { readonly from: string; readonly to: string; readonly course: Course }[]
  /** Steps of 15 s before now in which the trouble began, and ended (0: it has not). */
  readonly beganStepsAgo?: number
  readonly endedStepsAgo?: number
  /** As many of the newest steps of the past are not read yet. */
  readonly unreadSteps?: number
  readonly silent?: readonly string[]
  readonly skewSeconds?: Readonly<Record<string, number>>
  /** Seams that cannot be joined by host: the ingress does not tell whom it was asked for. */
  readonly hostless?: boolean
  readonly goals?: readonly Goal[]
  /** Pods of some, usually and in trouble. */
  readonly pods?: Readonly<Record<string, { readonly usual: number; readonly now: number }>>
  readonly routes?: StitchConfig['routes']
}

export const [X, C, D] = ['east/shop/x', 'west/labs/c', 'west/labs/d'] as const

/** X calls C over the seam, C calls D, which alone became two seconds slower. */
export const SLOW: Given = {
  nodes: { [X]: course(41, 0.1, 2.1), [C]: course(41, 0.06, 2.05), [D]: course(41, 0.02, 2) },
  calls: [
    { from: X, to: C, course: course(41, 0.07, 2.06) },
    { from: C, to: D, course: course(41, 0.021, 2.001) },
  ],
}

/** Two clusters as their proxies tell of them. */
export function viewsIn(given: Given): readonly ClusterView[] {
  return ['east', 'west'].map((name): ClusterView => {
    const silent = given.silent?.includes(name) ?? false
    return {
      name,
      state: silent ? 'stale' : 'current',
      ageSeconds: silent ? 40 : 0,
      now: observe(name, given, 1),
      history: observe(name, given, axis.steps),
      compare: null,
      surroundings: { goals: new Map(), alerts: null, clockSkewSeconds: given.skewSeconds?.[name] ?? null },
    }
  })
}

export function pictureIn(given: Given, views?: readonly ClusterView[]): Picture {
  return allAtOnce(drawingIn(given, views))
}

export function drawingIn(given: Given, views: readonly ClusterView[] = viewsIn(given)): Turns<Picture> {
  return drawPicture(views, {
    atSeconds: AT,
    windowSeconds: WINDOW_SECONDS,
    axis,
    compare: null,
    stitchConfig: { ingresses: [], routes: given.routes ?? [] },
    goals: given.goals ?? [],
    inventories: new Map(),
  })
}

export const situationIn = (given: Given): Situation => pictureIn(given).situation

export const verdictIn = (given: Given): Verdict => pictureIn(given).verdict

function observe(cluster: string, given: Given, steps: number): Observation {
  const observation = emptyObservation(cluster, steps)
  for (const [id, course] of Object.entries(given.nodes)) {
    if (!id.startsWith(`${cluster}/`)) continue
    const total = () => traffic(course, steps, given)
    const byHost = given.hostless ? new Map<string, Traffic>() : new Map([[hostOf(id), total()]])
    observation.inbound.set(id, { ...newInbound(refOf(id), steps), total: total(), byHost })
  }
  for (const [id, { usual, now }] of Object.entries(given.pods ?? {})) {
    if (!id.startsWith(`${cluster}/`)) continue
    const counted = Array.from({ length: steps }, (_, step) => (isTroubled(given, steps, step) ? now : usual))
    observation.pods.set(id, Float64Array.from(counted))
  }
  for (const { from, to, course } of given.calls) {
    if (!from.startsWith(`${cluster}/`)) continue
    const destination = destinationOf(cluster, to)
    observation.outbound.set(`${from} ${destinationKey(destination)}`, {
      from: refOf(from),
      destination,
      traffic: traffic(course, steps, given),
      measure: 'firstByte',
      attempts: 'each',
      serverId: null,
      clues: NO_CLUES,
      tcp: null,
    })
  }
  return observation
}

function destinationOf(cluster: string, to: string): Destination {
  if (to.startsWith('host:')) return { kind: 'host', host: to.slice(5) }
  if (to.startsWith(`${cluster}/`)) return { kind: 'workload', workload: refOf(to), service: null }
  return { kind: 'host', host: hostOf(to) }
}

function hostOf(id: string): string {
  return `${id.split('/').at(-1)}.example`
}

function refOf(id: string): WorkloadRef {
  const ref = parseWorkloadId(id)
  if (ref === undefined) throw new Error(`bad id in a test: ${id}`)
  return ref
}

function traffic(course: Course, steps: number, given: Given): Traffic {
  const { rate: usualRate, usual, failing = 0, rateNow = usualRate, later } = course
  const made = emptyTraffic(steps)
  for (let step = 0; step < steps; step += 1) {
    const ago = steps - 1 - step
    if (steps > 1 && ago < (given.unreadSteps ?? 0)) {
      for (const column of [made.success, made.failures, made.latencyCount, made.latencySeconds])
        column[step] = Number.NaN
      continue
    }
    const troubled = isTroubled(given, steps, step)
    const failures = troubled ? failing : 0
    const changed = later !== undefined && ago < later.stepsAgo ? later : undefined
    const rate = troubled ? (changed?.rate ?? rateNow) : usualRate
    const now = changed?.now ?? course.now
    made.success[step] = rate - failures
    made.failures[step] = failures
    made.latencyCount[step] = rate
    made.latencySeconds[step] = rate * (troubled ? now : usual)
  }
  return made
}

/** The last of several steps is the present; of one step, it is that one. */
function isTroubled({ beganStepsAgo = 8, endedStepsAgo = 0 }: Given, steps: number, step: number): boolean {
  const ago = steps - 1 - step
  return steps === 1 ? endedStepsAgo === 0 : ago < beganStepsAgo && ago >= endedStepsAgo
}
