import { countQuestions } from '../dialects/count-questions.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { BURN_WINDOWS, type GoalCounts, slowShares, type WindowCount } from '../domain/burn.ts'
import { type Goal, goalsFor, type OwnGoals } from '../domain/goals.ts'
import { parseWorkloadId } from '../domain/identity.ts'
import type { Observation } from '../domain/observation.ts'
import { flowAt } from '../domain/traffic.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { askNow } from './ask-now.ts'
import { isYounger } from './is-younger.ts'
import type { SideTask } from './side-tasks.ts'
import { missingPart } from './store-trouble.ts'

export interface GoalReaderOptions {
  readonly cluster: string
  readonly api: PrometheusApi
  readonly dialects: () => readonly Dialect[]
  readonly goals: readonly Goal[]
}

const DAY_SECONDS = 86_400
/** A window is asked again after this part of it, and neither more often than once a minute nor less than hourly. */
const AGAIN_PART = 1 / 60
const SOONEST_SECONDS = 60
const LATEST_SECONDS = 3_600
/** The day that is not over. */
const TODAY_AGAIN_SECONDS = 900
const AFTER_FAILURE_SECONDS = 120
/** A day of which only a part could be reached, or that seemed empty: a store that was gone may be back. */
const DOUBTFUL_AGAIN_SECONDS = 6 * 3_600
/** Who is gone for a moment may come back; who is gone for so long is counted anew then. */
const FORGOTTEN_AFTER_SECONDS = 3_600
/** A selector of more names is no cheaper than asking for all. */
const MOST_AT_ONCE = 60

/** By id; null: it was asked for, and there is nothing. Whoever is missing was not asked for. */
type Counts = ReadonlyMap<string, WindowCount | null>

interface Asked {
  readonly counts: Counts
  /** Whether some of the data could not be reached. */
  readonly isPart: boolean
}

interface Counted {
  readonly counts: Counts
  readonly askedAtSeconds: number
  readonly dueAtSeconds: number
}

/**
 * Counts the requests of workloads that have goals over the windows of the burn rates, and day by day over the period of
 * the error budget: days that are over are asked once. Workloads without goals are never asked for.
 */
export class GoalReader implements SideTask {
  readonly #options: GoalReaderOptions
  /** Of the workloads that are known: names of others come and go without end. */
  readonly #goals = new Map<string, OwnGoals | null>()
  /** When each workload was known last, unix seconds. */
  readonly #ids = new Map<string, number>()
  /** By window length, and for days by the instant they end at. */
  readonly #windows = new Map<number, Counted>()
  readonly #days = new Map<number, Counts>()
  /** Days for which everybody was asked, and whether there was anything. */
  readonly #whole = new Map<number, boolean>()
  /** When days that are in doubt are asked again, by their ends. */
  readonly #again = new Map<number, number>()
  #today: (Counted & { readonly midnight: number }) | null = null
  #failedAtSeconds = Number.NEGATIVE_INFINITY

  constructor(options: GoalReaderOptions) {
    this.#options = options
  }

  /** The cluster's workloads as far as they are known: those that goals hold for are counted from now on. */
  know(ids: Iterable<string>, nowSeconds: number): void {
    if (this.#options.goals.length === 0) return
    const there = new Set(ids)
    for (const id of there) {
      const goals = this.#goalsOf(id)
      this.#goals.set(id, goals)
      if (goals === null) continue
      if (!this.#ids.has(id)) this.#whole.clear()
      this.#ids.set(id, nowSeconds)
    }
    for (const [id, knownAtSeconds] of this.#ids) {
      if (nowSeconds - knownAtSeconds > FORGOTTEN_AFTER_SECONDS) this.#ids.delete(id)
    }
    for (const id of this.#goals.keys()) if (!there.has(id) && !this.#ids.has(id)) this.#goals.delete(id)
  }

  /** What lacks anything is due just now, and no earlier: a month of days to be counted must not keep others waiting. */
  dueAt(nowSeconds: number): number {
    if (this.#ids.size === 0) return Number.POSITIVE_INFINITY
    const windows = BURN_WINDOWS.map((window) => this.#dueAt(this.#windows.get(window) ?? null, nowSeconds))
    const today = this.#todayFrom(midnightOf(nowSeconds))
    const days = this.#missingDay(nowSeconds) === null ? this.#dueAt(today, nowSeconds) : nowSeconds
    const rests = isYounger(this.#failedAtSeconds, nowSeconds, AFTER_FAILURE_SECONDS)
    return Math.max(rests ? this.#failedAtSeconds + AFTER_FAILURE_SECONDS : 0, Math.min(...windows, days))
  }

  async run(nowSeconds: number, signal: AbortSignal): Promise<boolean> {
    const due = BURN_WINDOWS.find((window) => this.#dueAt(this.#windows.get(window) ?? null, nowSeconds) <= nowSeconds)
    const ok =
      due === undefined ? await this.#runDay(nowSeconds, signal) : await this.#runWindow(due, nowSeconds, signal)
    if (!ok) this.#failedAtSeconds = nowSeconds
    return ok
  }

  /** What is known of each workload with goals: of the days those of its own period, today's among them. */
  counts(): ReadonlyMap<string, GoalCounts> {
    const windows = BURN_WINDOWS.flatMap((window) => this.#windows.get(window)?.counts ?? [])
    return new Map(
      [...this.#ids.keys()].map((id) => [
        id,
        { windows: windows.flatMap((part) => part.get(id) ?? []), days: this.#daysOf(id) },
      ]),
    )
  }

  #daysOf(id: string): WindowCount[] {
    const { counts, midnight } = this.#today ?? { counts: new Map<string, null>(), midnight: Number.NEGATIVE_INFINITY }
    // Once a day is over it is counted whole: what it was while it lasted is a part of that.
    const isOver = this.#days.get(midnight + DAY_SECONDS)?.has(id) === true
    const newest = Math.max(isOver ? midnight + DAY_SECONDS : midnight, ...this.#days.keys())
    const oldest = newest - this.#periodOf(id) + DAY_SECONDS
    const days = [...this.#days].flatMap(([end, day]) => (end > oldest ? (day.get(id) ?? []) : []))
    return isOver ? days : [...days, ...[counts.get(id)].flatMap((today) => today ?? [])]
  }

  /** The burn windows as they were at an instant of the past. Without the budget: that would be a month of questions. */
  async at(ids: Iterable<string>, atSeconds: number, signal: AbortSignal): Promise<ReadonlyMap<string, GoalCounts>> {
    const mine = this.#options.goals.length === 0 ? [] : [...ids].filter((id) => this.#goalsOf(id) !== null)
    if (mine.length === 0) return new Map()
    const windows = await Promise.all(BURN_WINDOWS.map((window) => this.#ask(mine, window, atSeconds, signal)))
    return new Map(
      mine.map((id) => [id, { windows: windows.flatMap((asked) => asked?.counts.get(id) ?? []), days: [] }]),
    )
  }

  async #runWindow(window: number, nowSeconds: number, signal: AbortSignal): Promise<boolean> {
    const again = Math.min(LATEST_SECONDS, Math.max(SOONEST_SECONDS, window * AGAIN_PART))
    const counted = await this.#count(this.#windows.get(window) ?? null, window, again, nowSeconds, signal)
    if (counted !== null) this.#windows.set(window, counted)
    return counted !== null
  }

  async #runDay(nowSeconds: number, signal: AbortSignal): Promise<boolean> {
    const midnight = midnightOf(nowSeconds)
    const missing = this.#missingDay(nowSeconds)
    if (missing !== null) {
      const { end, ids } = missing
      const asked = await this.#ask(ids, DAY_SECONDS, end, signal)
      if (asked === null) return false
      this.#days.set(end, new Map([...(this.#days.get(end) ?? []), ...asked.counts]))
      this.#whole.delete(end)
      if (asked.isPart) this.#again.set(end, nowSeconds + DOUBTFUL_AGAIN_SECONDS)
      else this.#again.delete(end)
      return true
    }
    for (const day of this.#days.keys()) if (day <= this.#oldestEnd(midnight) || day > midnight) this.#forgetDay(day)
    const sinceMidnight = Math.max(SOONEST_SECONDS, nowSeconds - midnight)
    const today = this.#todayFrom(midnight)
    const counted = await this.#count(today, sinceMidnight, TODAY_AGAIN_SECONDS, nowSeconds, signal)
    if (counted !== null) this.#today = { ...counted, midnight }
    return counted !== null
  }

  /** What was counted of the day that began then; null: nothing yet. */
  #todayFrom(midnight: number): Counted | null {
    return this.#today?.midnight === midnight ? this.#today : null
  }

  /** Counts what is due again over a window up to now; else those who were not counted yet. Null: it was not answered. */
  async #count(
    before: Counted | null,
    windowSeconds: number,
    againSeconds: number,
    nowSeconds: number,
    signal: AbortSignal,
  ): Promise<Counted | null> {
    const isDue = before === null || isDueAgain(before, nowSeconds)
    const ids = isDue ? [...this.#ids.keys()] : this.#lackingIn(before.counts)
    const asked = await this.#ask(ids, windowSeconds, nowSeconds, signal)
    if (asked === null) return null
    const { counts } = asked
    if (isDue) return { counts, askedAtSeconds: nowSeconds, dueAtSeconds: nowSeconds + againSeconds }
    return { ...before, counts: new Map([...before.counts, ...counts]) }
  }

  #dueAt(counted: Counted | null, nowSeconds: number): number {
    if (counted === null || this.#lackingIn(counted.counts).length > 0) return nowSeconds
    return isDueAgain(counted, nowSeconds) ? nowSeconds : counted.dueAtSeconds
  }

  #lackingIn(counts: Counts): string[] {
    return [...this.#ids.keys()].filter((id) => !counts.has(id))
  }

  #forgetDay(end: number): void {
    this.#days.delete(end)
    this.#whole.delete(end)
    this.#again.delete(end)
  }

  /** The end of the newest day of the period (unix seconds) that somebody is to be asked for; null: there is none. */
  #missingDay(nowSeconds: number): { readonly end: number; readonly ids: readonly string[] } | null {
    const midnight = midnightOf(nowSeconds)
    for (let end = midnight; end > this.#oldestEnd(midnight); end -= DAY_SECONDS) {
      const whose = this.#idsOn(end, midnight)
      if ((this.#again.get(end) ?? Number.POSITIVE_INFINITY) <= nowSeconds) return { end, ids: whose }
      const counts = this.#days.get(end) ?? new Map<string, null>()
      const hadAny = this.#whole.get(end) ?? null
      const ids = hadAny === null ? whose.filter((id) => !counts.has(id)) : []
      if (ids.length > 0) return { end, ids }
      const hasAny = hadAny ?? whose.some((id) => counts.get(id) !== null)
      this.#whole.set(end, hasAny)
      if (hasAny) continue
      // Nothing is kept from before: what is further back is not asked for, unless this day turns out to hold something.
      if (!this.#again.has(end)) this.#again.set(end, nowSeconds + DOUBTFUL_AGAIN_SECONDS)
      return null
    }
    return null
  }

  /** In whose period the day lies that ends then. */
  #idsOn(end: number, midnight: number): readonly string[] {
    return [...this.#ids.keys()].filter((id) => end > midnight - this.#periodOf(id) + DAY_SECONDS)
  }

  /** Days that end no later than this (unix seconds) are in nobody's period. */
  #oldestEnd(midnight: number): number {
    return midnight - Math.max(0, ...[...this.#ids.keys()].map((id) => this.#periodOf(id))) + DAY_SECONDS
  }

  #periodOf(id: string): number {
    return this.#goalsOf(id)?.periodSeconds ?? 0
  }

  /** Null when anything of it was not answered. */
  async #ask(
    ids: readonly string[],
    windowSeconds: number,
    atSeconds: number,
    signal: AbortSignal,
  ): Promise<Asked | null> {
    const { api, cluster, dialects } = this.#options
    const counts = new Map<string, WindowCount | null>()
    let isPart = false
    for (let from = 0; from < ids.length; from += MOST_AT_ONCE) {
      const part = ids.slice(from, from + MOST_AT_ONCE)
      const slowMatters = part.some((id) =>
        Object.keys(this.#goalsOf(id)?.latencySeconds ?? {}).some((m) => m !== 'mean'),
      )
      const refs = part.flatMap((id) => parseWorkloadId(id) ?? [])
      const questions = (dialect: Dialect) => countQuestions(dialect, windowSeconds, refs, slowMatters)
      const answer = await askNow(api, cluster, dialects(), questions, atSeconds, signal)
      if ('error' in answer || answer.failures.length > 0) return null
      isPart ||= answer.warnings.some((warning) => missingPart(warning) !== null)
      for (const id of part) {
        counts.set(id, this.#countIn(answer.observation, id, windowSeconds, atSeconds))
      }
    }
    return { counts, isPart }
  }

  #countIn(observation: Observation, id: string, windowSeconds: number, atSeconds: number): WindowCount | null {
    const [inbound, goals] = [observation.inbound.get(id), this.#goalsOf(id)]
    if (inbound === undefined || goals === null) return null
    const { requestsPerSecond, failuresPerSecond, histogram } = flowAt(inbound.total, 0)
    if (requestsPerSecond === null) return null
    const slowShare = slowShares(histogram, goals)
    return { windowSeconds, atSeconds, requestsPerSecond, failuresPerSecond: failuresPerSecond ?? 0, slowShare }
  }

  #goalsOf(id: string): OwnGoals | null {
    const known = this.#goals.get(id)
    return known === undefined ? goalsFor(this.#options.goals, id) : known
  }
}

function midnightOf(atSeconds: number): number {
  return Math.floor(atSeconds / DAY_SECONDS) * DAY_SECONDS
}

/** What was asked in a time to come is of a clock that was set back. */
function isDueAgain({ askedAtSeconds, dueAtSeconds }: Counted, nowSeconds: number): boolean {
  return !isYounger(askedAtSeconds, nowSeconds, dueAtSeconds - askedAtSeconds)
}
