import type { ClusterView } from '../domain/assess.ts'
import type { BucketHistory } from '../domain/bucket-history.ts'
import type { Observation } from '../domain/observation.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import type { Answered, Asked } from './ask-now.ts'
import type { ClusterLanes } from './cluster-lanes.ts'
import type { ClusterPast } from './cluster-past.ts'
import { aged, type ClusterReading } from './cluster-reading.ts'
import type { Detection } from './detection.ts'
import { GapsSince } from './gaps-since.ts'
import type { LastTold } from './last-told.ts'
import type { PastKeeper } from './past-keeper.ts'
import type { Reading } from './reading.ts'
import { Rest } from './rest.ts'
import type { Gap } from './snapshot.ts'
import { summaryOf } from './summary-of.ts'
import { whatIsMissing } from './what-is-missing.ts'

/** What is known of the past, or why it is not. */
interface Past {
  readonly history: { readonly observation: Observation | null } | { readonly error: UpstreamError }
  readonly usual: BucketHistory | null
}

/** What a cluster's reader knows of it. */
interface Reader {
  readonly name: string
  readonly detection: Detection
  readonly lanes: ClusterLanes
  readonly past: ClusterPast
  readonly keeper: PastKeeper
  readonly last: LastTold
  readonly clockSkewSeconds: number | null
}

/** What one cluster answered as a snapshot shows it: completed by what is known, with its gaps and since when these are. */
export class ClusterShown {
  readonly #reader: Reader
  readonly #under: { readonly waiting: boolean }
  /** Of what it does not tell while it tells the rest. */
  readonly #lacking: GapsSince
  readonly #rest: Rest

  /** `under`: whether a reading is under way. */
  constructor(reader: Reader, under: { readonly waiting: boolean }, refreshSeconds: number) {
    this.#reader = reader
    this.#under = under
    this.#lacking = new GapsSince(reader.last.goodForSeconds)
    this.#rest = new Rest(reader.last.goodForSeconds, refreshSeconds)
  }

  /** `past`: unless it is what is kept. `isWhole`: all that is to come of it has come in. */
  of(
    reading: Reading,
    nowSeconds: number,
    now: Asked,
    { past = this.#known(reading), isWhole = true }: { readonly past?: Past; readonly isWhole?: boolean } = {},
  ): ClusterReading {
    const { name, last, lanes, detection, clockSkewSeconds } = this.#reader
    const { atSeconds, windowSeconds, live } = reading
    const sinceSeconds = last.silenceOf(windowSeconds)?.sinceSeconds ?? atSeconds
    if ('error' in now) {
      if (live) this.#lacking.forget(reading)
      const { kind: why, message: detail } = now.error
      return this.silent(reading, nowSeconds, { why, detail, sinceSeconds }, past)
    }
    const told = live ? lanes.withSlowTrouble(now, reading) : now
    const { history } = past
    const { gaps, partial } = whatIsMissing(name, { ...told, history, clockSkewSeconds, detection }, sinceSeconds)
    const dated = live ? this.#lacking[isWhole ? 'dated' : 'datedSoFar'](reading, gaps) : gaps
    const observation = live ? lanes.complete(now, reading) : now.observation
    if (live) this.#told(reading, now, observation)
    const view: ClusterView = {
      ...{ name, state: 'current', ageSeconds: 0, now: observation, compare: null },
      ...this.#before(reading, past),
    }
    const summary = this.#summary(view, reading, partial, dated, now.callsAgeSeconds ?? 0)
    return { view, summary, gaps: dated }
  }

  /** The cluster while it tells nothing, and why. */
  silent(
    reading: Reading,
    nowSeconds: number,
    why: Omit<Gap, 'cluster' | 'what'>,
    past: Past = this.#known(reading),
  ): ClusterReading {
    const { name, last } = this.#reader
    const gaps = [{ cluster: name, what: 'everything', ...why }]
    const view = last.view(reading, nowSeconds, this.#before(reading, past))
    return { view, summary: this.#summary(view, reading, false, gaps), gaps }
  }

  /** Between two refreshes that the load cap drew apart: what was read last, with its age. Null: it is time again. */
  resting(reading: Reading, nowSeconds: number): ClusterReading | null {
    const { lanes, last } = this.#reader
    const { restsForSeconds } = lanes.cap
    const { atSeconds, windowSeconds } = reading
    if (restsForSeconds === null || last.silenceOf(windowSeconds) !== null) return null
    const before = this.#rest.standing(reading, restsForSeconds)
    if (before === null) return null
    const then = this.of({ ...reading, atSeconds: before.atSeconds }, nowSeconds, before.answered)
    const { summary, ...rested } = aged(then, atSeconds - before.atSeconds)
    // They may have come in since.
    return { ...rested, summary: { ...summary, percentilesAgeSeconds: this.#percentilesAgeSeconds(reading) } }
  }

  #known(reading: Reading): Past {
    const { keeper, lanes } = this.#reader
    return { history: keeper.known(reading), usual: lanes.usual(reading.windowSeconds) }
  }

  #before(reading: Reading, { history, usual }: Past): Pick<ClusterView, 'history' | 'usualBuckets' | 'trail'> {
    const { past, lanes } = this.#reader
    return {
      history: ('error' in history ? null : history.observation) ?? past.ratesKnown(reading),
      usualBuckets: usual,
      ...(reading.live ? { trail: lanes.trail(reading.windowSeconds) } : {}),
    }
  }

  #told(reading: Reading, answered: Answered, observation: Observation): void {
    const { atSeconds, windowSeconds } = reading
    const { seriesRead, failures } = answered
    const { last, lanes, detection } = this.#reader
    this.#rest.told(reading, answered, lanes.cap.restsForSeconds)
    const good = { atSeconds, windowSeconds, observation, seriesRead, ...detection.facts }
    last.told(good, failures.length === 0)
  }

  #summary(view: ClusterView, of: Reading, partial: boolean, gaps: readonly Gap[], callsAgeSeconds?: number) {
    const { detection, last } = this.#reader
    return summaryOf(view, {
      ...{ partial, gaps, callsAgeSeconds },
      speaks: detection.dialects,
      workloadsLastSeen: last.good?.observation.inbound.size ?? null,
      waiting: this.#under.waiting,
      percentilesAgeSeconds: this.#percentilesAgeSeconds(of),
    })
  }

  #percentilesAgeSeconds({ atSeconds, windowSeconds, live }: Reading): number | null {
    return live ? this.#reader.lanes.slowAgeSeconds(windowSeconds, atSeconds) : 0
  }
}
