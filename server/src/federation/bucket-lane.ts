import { withLatencies } from '../domain/add-traffic.ts'
import type { BucketHistory } from '../domain/bucket-history.ts'
import { placedOnCalls } from '../domain/call-signals.ts'
import { type WorkloadRef, workloadId } from '../domain/identity.ts'
import type { Inbound, Observation, Outbound } from '../domain/observation.ts'
import { hasBuckets, isCounted, requestsAt, type Traffic } from '../domain/traffic.ts'
import type { Answered, Failures } from './ask-now.ts'
import { sameWorkloads } from './merge-observations.ts'
import { MOST_WINDOWS } from './per-window.ts'
import { TRAIL_SECONDS, Trail } from './trail.ts'

interface Brought {
  readonly atSeconds: number
  readonly observation: Observation
  readonly seriesCount: number
  /** What its server said of it: a part may be missing. */
  readonly warnings: readonly string[]
}

/** Buckets that came with the rates, because recording rules make them cheap. */
interface Recorded {
  readonly atSeconds: number
  /** Of the workloads that had some. */
  readonly ids: ReadonlySet<string>
}

/** What the slow lane brought, of one rate window. */
class Lane {
  /** The last answer to everything. */
  whole: Brought | null = null
  /** A later one without the answers to some questions: what it lacks is taken from the whole one. */
  partial: Brought | null = null
  recorded: Recorded | null = null
  /** When it was last asked for, whether it answered or not. */
  triedAtSeconds: number | null = null
  /** When it was last asked for, or somebody looked at what it brought. */
  usedAtSeconds: number | null = null
  /** What it could not tell then. */
  failures: Failures = []
  /** The buckets that usual values are made of. */
  usual: BucketHistory | null = null
  readonly trail = new Trail()
  /** Workloads that were asked for by name since, and had none. */
  readonly withoutBuckets = new Set<string>()

  /** The newest first. */
  get answers(): readonly Brought[] {
    return [this.partial, this.whole].filter((answered) => answered !== null)
  }
}

/** An answer that is late is so by the limit of its query, some seconds unless it was set to minutes. */
const LATEST_SECONDS = 120

/**
 * One cluster's slow lane: buckets are nine tenths of what a Prometheus has to read, so they are asked for more seldom
 * than the rest, and the last answer stands in between with its own age.
 */
export class BucketLane {
  readonly #lanes = new Map<number, Lane>()

  /** When the lane of this rate window was last asked for; null = never. */
  triedAt(windowSeconds: number): number | null {
    return this.#lane(windowSeconds).triedAtSeconds
  }

  tried(windowSeconds: number, atSeconds: number, failures: Failures): void {
    const lane = this.#lane(windowSeconds)
    lane.triedAtSeconds = atSeconds
    lane.usedAtSeconds = atSeconds
    lane.failures = failures
    this.#forgetUnwatched(atSeconds)
  }

  /** What the lane of this rate window could not tell when it was last asked, and what was said of the answers that stand. */
  trouble(windowSeconds: number): { readonly failures: Failures; readonly warnings: readonly string[] } {
    const { failures = [], answers = [] } = this.#lanes.get(windowSeconds) ?? {}
    return { failures, warnings: answers.flatMap(({ warnings }) => warnings) }
  }

  usual(windowSeconds: number): BucketHistory | null {
    return this.#lanes.get(windowSeconds)?.usual ?? null
  }

  keepUsual(windowSeconds: number, usual: BucketHistory): void {
    this.#lane(windowSeconds).usual = usual
  }

  /** `isWhole`: all of its questions were answered. One that fails each time is not to cost what the others bring. */
  answered(
    windowSeconds: number,
    atSeconds: number,
    { observation, warnings }: Pick<Answered, 'observation' | 'warnings'>,
    isWhole: boolean,
  ): void {
    const lane = this.#lane(windowSeconds)
    const aheadSeconds = (lane.answers[0]?.atSeconds ?? atSeconds) - atSeconds
    // One that was late; what is far ahead is of a clock that was set back since.
    if (aheadSeconds > 0 && aheadSeconds <= LATEST_SECONDS) return
    const answered = { atSeconds, observation, warnings, seriesCount: bucketSeries(observation) }
    lane.partial = isWhole ? null : answered
    if (isWhole) lane.whole = answered
    lane.withoutBuckets.clear()
    this.met(windowSeconds, atSeconds, observation)
  }

  /** What recording rules told with the rates; null: nothing is recorded of this rate window. */
  recorded(windowSeconds: number, atSeconds: number, observation: Observation | null): void {
    const inbound = observation?.inbound ?? new Map<string, Inbound>()
    const ids = new Set([...inbound].flatMap(([id, { total }]) => (hasBuckets(total) ? [id] : [])))
    this.#lane(windowSeconds).recorded = ids.size === 0 ? null : { atSeconds, ids }
  }

  /** Percentiles that came with the fast lane are worth remembering too. */
  met(windowSeconds: number, atSeconds: number, observation: Observation): void {
    this.#lane(windowSeconds).trail.add(atSeconds, observation)
  }

  /** What came of asking for them by name: who has no buckets then has none to ask for, until the slow lane comes. */
  named(workloads: readonly WorkloadRef[], { inbound }: Observation, windowSeconds: number): void {
    for (const id of workloads.map(workloadId)) {
      const total = inbound.get(id)?.total
      if (total === undefined || !hasBuckets(total)) this.#lane(windowSeconds).withoutBuckets.add(id)
    }
  }

  /** Workloads with requests of which there are no buckets, and not known to have none. */
  unmet({ inbound }: Observation, windowSeconds: number): WorkloadRef[] {
    const { answers, recorded, withoutBuckets } = this.#lane(windowSeconds)
    // All of them are on their way.
    if (answers.length === 0) return []
    const isKnown = (id: string) =>
      recorded?.ids.has(id) === true ||
      answers.some(({ observation }) => {
        const known = observation.inbound.get(id)?.total
        return known !== undefined && hasBuckets(known)
      })
    const unmet: WorkloadRef[] = []
    for (const [id, { workload, total }] of inbound) {
      if (hasBuckets(total) || isKnown(id) || withoutBuckets.has(id)) continue
      if (!((requestsAt(total, 0) ?? 0) > 0)) continue
      unmet.push(workload)
    }
    return unmet
  }

  /** How many bucket series the cluster has; null: not known yet. */
  seriesCount(windowSeconds: number): number | null {
    return this.#lane(windowSeconds).whole?.seriesCount ?? null
  }

  ageSeconds(windowSeconds: number, atSeconds: number): number | null {
    const { recorded, answers } = this.#lane(windowSeconds)
    // What lacks its percentiles is filled up with older ones.
    const told = recorded ?? answers.find(({ seriesCount }) => seriesCount > 0) ?? answers[0]
    return told === undefined ? null : Math.max(0, atSeconds - told.atSeconds)
  }

  trail(windowSeconds: number): Trail {
    return this.#lane(windowSeconds).trail
  }

  /**
   * The fast lane's answer with the slow lane's last ones where the fast one has none, unless they are older than
   * `mostAgeSeconds`. None of them is changed.
   */
  complete(fast: Observation, windowSeconds: number, atSeconds: number, mostAgeSeconds: number): Observation {
    const lane = this.#lane(windowSeconds)
    lane.usedAtSeconds = atSeconds
    return lane.answers.reduce((completed, answered) => {
      const ageSeconds = Math.max(0, atSeconds - answered.atSeconds)
      if (ageSeconds > mostAgeSeconds || answered.observation === fast) return completed
      return withSlow(completed, answered.observation, ageSeconds)
    }, fast)
  }

  #lane(windowSeconds: number): Lane {
    const lane = this.#lanes.get(windowSeconds) ?? new Lane()
    this.#lanes.delete(windowSeconds)
    this.#lanes.set(windowSeconds, lane)
    for (const oldest of this.#lanes.keys()) {
      if (this.#lanes.size <= MOST_WINDOWS) break
      this.#lanes.delete(oldest)
    }
    return lane
  }

  /** Each holds everything that its cluster tells: what nobody has looked at for as long as its trail reaches back goes. */
  #forgetUnwatched(atSeconds: number): void {
    for (const [windowSeconds, { usedAtSeconds }] of this.#lanes) {
      // What lies far ahead is of a clock that was set back.
      if (usedAtSeconds !== null && Math.abs(atSeconds - usedAtSeconds) > TRAIL_SECONDS)
        this.#lanes.delete(windowSeconds)
    }
  }
}

/** The fast lane's answer with the buckets of the slow one, which is so much older. Neither is changed. */
export function withSlow(fast: Observation, slow: Observation, ageSeconds: number): Observation {
  const outbound = slow.outbound.size === 0 ? fast.outbound : outboundWith(fast, slow, ageSeconds)
  return {
    ...fast,
    inbound: slow.inbound.size === 0 ? fast.inbound : inboundWith(fast, slow, ageSeconds),
    outbound,
    signals: slow.signals.size === 0 ? fast.signals : signalsWith(fast.signals, placedOnCalls(slow.signals, outbound)),
    routes: slow.routes.size === 0 ? fast.routes : new Map([...slow.routes, ...fast.routes]),
    passing: slow.passing.size === 0 ? fast.passing : new Map([...slow.passing, ...fast.passing]),
  }
}

function inboundWith(fast: Observation, slow: Observation, ageSeconds: number): Observation['inbound'] {
  const inbound = new Map<string, Inbound>()
  const told = inboundAsIn(fast, slow)
  for (const [id, flow] of fast.inbound) {
    const other = told.get(id)
    const total = other === undefined ? flow.total : withBuckets(flow.total, other.total, ageSeconds)
    inbound.set(id, total === flow.total ? flow : { ...flow, total })
  }
  return inbound
}

/**
 * Of several dialects one may know a workload by less than its place, and alone in its lane nobody knows it better: who
 * that is tells the lane in which all of them are seen.
 */
function inboundAsIn(fast: Observation, slow: Observation): Observation['inbound'] {
  if (slow.dialect !== '') return slow.inbound
  const sameAs = sameWorkloads(fast)
  const inbound = new Map(slow.inbound)
  for (const [id, flow] of slow.inbound) {
    if (fast.inbound.has(id)) continue
    const known = workloadId(sameAs(flow.workload))
    const told = inbound.get(known)
    if (told === undefined || !hasBuckets(told.total)) inbound.set(known, flow)
  }
  return inbound
}

function outboundWith(fast: Observation, slow: Observation, ageSeconds: number): Observation['outbound'] {
  const outbound = new Map<string, Outbound>()
  for (const [key, flow] of fast.outbound) {
    const other = slow.outbound.get(key)
    const tcp = flow.tcp ?? other?.tcp ?? null
    const traffic = other === undefined ? flow.traffic : withBuckets(flow.traffic, other.traffic, ageSeconds)
    outbound.set(key, tcp === flow.tcp && traffic === flow.traffic ? flow : { ...flow, tcp, traffic })
  }
  // Calls without requests are told by their bytes alone.
  for (const [key, other] of slow.outbound) {
    if (other.tcp !== null && !outbound.has(key) && !isCounted(other.traffic)) outbound.set(key, other)
  }
  return outbound
}

function signalsWith(fast: Observation['signals'], slow: Observation['signals']): Observation['signals'] {
  const signals = new Map(fast)
  for (const [key, other] of slow) signals.set(key, new Map([...other, ...(fast.get(key) ?? [])]))
  return signals
}

function withBuckets(traffic: Traffic, other: Traffic, ageSeconds: number): Traffic {
  if (hasBuckets(traffic) || !hasBuckets(other)) return traffic
  return withLatencies(traffic, other, ageSeconds === 0 ? undefined : ageSeconds)
}

function bucketSeries({ inbound, outbound }: Observation): number {
  let count = 0
  for (const { total } of inbound.values()) count += total.buckets.size
  for (const { traffic } of outbound.values()) count += traffic.buckets.size
  return count
}
