import { countQuestions } from '../dialects/count-questions.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { BURN_WINDOWS, type GoalCounts, slowShares, type WindowCount } from '../domain/burn.ts'
import { type Goal, goalsFor, type OwnGoals } from '../domain/goals.ts'
import { parseWorkloadId } from '../domain/identity.ts'
import type { Observation } from '../domain/observation.ts'
import { flowAt } from '../domain/traffic.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { askNow } from './ask-now.ts'
import type { SideTask } from './side-tasks.ts'

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
/** Who is gone for a moment may come back; who is gone for so long is counted anew then. */
const FORGOTTEN_AFTER_SECONDS = 3_600
/** A selector of more names is no cheaper than asking for all. */
const MOST_AT_ONCE = 60

/** By id; null: it was asked for, and there is nothing. Whoever is missing was not asked for. */
type Counts = ReadonlyMap<string, WindowCount | null>

interface Counted {
  readonly counts: Counts
  readonly dueAtSeconds: number
}

/**
 * Counts the requests of workloads that have goals over the windows of the burn rates, and day by day over the period of
 * the error budget: days that are over are asked once. Workloads without goals are never asked for.
 */
export class GoalReader implements SideTask {
  readonly #options: GoalReaderOptions
  readonly #goals = new Map<string, OwnGoals | null>()
  /** When each workload was known last, unix seconds. */
  readonly #ids = new Map<string, number>()
  /** By window length, and for days by the instant they end at. */
  readonly #windows = new Map<number, Counted>()
  readonly #days = new Map<number, Counts>()
  /** Days for which everybody was asked, and whether there was anything. */
  readonly #whole = new Map<number, boolean>()
  #today: Counted | null = null
  #restUntilSeconds = 0

  constructor(options: GoalReaderOptions) {
    this.#options = options
  }

  /** The cluster's workloads as far as they are known: those that goals hold for are counted from now on. */
  know(ids: Iterable<string>, nowSeconds: number): void {
    if (this.#options.goals.length === 0) return
    for (const id of ids) {
      if (this.#goalsOf(id) === null) continue
      if (!this.#ids.has(id)) this.#whole.clear()
      this.#ids.set(id, nowSeconds)
    }
    for (const [id, knownAtSeconds] of this.#ids) {
      if (nowSeconds - knownAtSeconds > FORGOTTEN_AFTER_SECONDS) this.#forget(id)
    }
  }

  /** What lacks anything is due just now, and no earlier: a month of days to be counted must not keep others waiting. */
  dueAt(nowSeconds: number): number {
    if (this.#ids.size === 0) return Number.POSITIVE_INFINITY
    const windows = BURN_WINDOWS.map((window) => this.#dueAt(this.#windows.get(window) ?? null, nowSeconds))
    const days = this.#missingDay(nowSeconds) === null ? this.#dueAt(this.#today, nowSeconds) : nowSeconds
    return Math.max(this.#restUntilSeconds, Math.min(...windows, days))
  }

  async run(nowSeconds: number, signal: AbortSignal): Promise<boolean> {
    const due = BURN_WINDOWS.find((window) => this.#dueAt(this.#windows.get(window) ?? null, nowSeconds) <= nowSeconds)
    const ok =
      due === undefined ? await this.#runDay(nowSeconds, signal) : await this.#runWindow(due, nowSeconds, signal)
    if (!ok) this.#restUntilSeconds = nowSeconds + AFTER_FAILURE_SECONDS
    return ok
  }

  /** What is known of each workload with goals. */
  counts(): ReadonlyMap<string, GoalCounts> {
    const today = this.#today?.counts
    const days = [...this.#days.values(), ...(today === undefined ? [] : [today])]
    const windows = BURN_WINDOWS.flatMap((window) => this.#windows.get(window)?.counts ?? [])
    const of = (parts: readonly Counts[], id: string) => parts.flatMap((part) => part.get(id) ?? [])
    return new Map([...this.#ids.keys()].map((id) => [id, { windows: of(windows, id), days: of(days, id) }]))
  }

  /** The burn windows as they were at an instant of the past. Without the budget: that would be a month of questions. */
  async at(ids: Iterable<string>, atSeconds: number, signal: AbortSignal): Promise<ReadonlyMap<string, GoalCounts>> {
    const mine = this.#options.goals.length === 0 ? [] : [...ids].filter((id) => this.#goalsOf(id) !== null)
    if (mine.length === 0) return new Map()
    const windows = await Promise.all(BURN_WINDOWS.map((window) => this.#ask(mine, window, atSeconds, signal)))
    return new Map(mine.map((id) => [id, { windows: windows.flatMap((counts) => counts?.get(id) ?? []), days: [] }]))
  }

  async #runWindow(window: number, nowSeconds: number, signal: AbortSignal): Promise<boolean> {
    const again = Math.min(LATEST_SECONDS, Math.max(SOONEST_SECONDS, window * AGAIN_PART))
    const counted = await this.#count(this.#windows.get(window) ?? null, window, again, nowSeconds, signal)
    if (counted !== null) this.#windows.set(window, counted)
    return counted !== null
  }

  async #runDay(nowSeconds: number, signal: AbortSignal): Promise<boolean> {
    const midnight = Math.floor(nowSeconds / DAY_SECONDS) * DAY_SECONDS
    const missing = this.#missingDay(nowSeconds)
    if (missing !== null) {
      const counts = await this.#ask(missing.ids, DAY_SECONDS, missing.end, signal)
      if (counts !== null) this.#days.set(missing.end, new Map([...(this.#days.get(missing.end) ?? []), ...counts]))
      return counts !== null
    }
    for (const day of this.#days.keys()) if (day < midnight - this.#periodSeconds()) this.#forgetDay(day)
    const sinceMidnight = Math.max(SOONEST_SECONDS, nowSeconds - midnight)
    const counted = await this.#count(this.#today, sinceMidnight, TODAY_AGAIN_SECONDS, nowSeconds, signal)
    if (counted !== null) this.#today = counted
    return counted !== null
  }

  /** Counts what is due again over a window up to now; else those who were not counted yet. Null: it was not answered. */
  async #count(
    before: Counted | null,
    windowSeconds: number,
    againSeconds: number,
    nowSeconds: number,
    signal: AbortSignal,
  ): Promise<Counted | null> {
    const isDue = before === null || before.dueAtSeconds <= nowSeconds
    const ids = isDue ? [...this.#ids.keys()] : this.#lackingIn(before.counts)
    const counts = await this.#ask(ids, windowSeconds, nowSeconds, signal)
    if (counts === null) return null
    if (isDue) return { counts, dueAtSeconds: nowSeconds + againSeconds }
    return { ...before, counts: new Map([...before.counts, ...counts]) }
  }

  #dueAt(counted: Counted | null, nowSeconds: number): number {
    if (counted === null || this.#lackingIn(counted.counts).length > 0) return nowSeconds
    return counted.dueAtSeconds
  }

  #lackingIn(counts: Counts): string[] {
    return [...this.#ids.keys()].filter((id) => !counts.has(id))
  }

  #forgetDay(end: number): void {
    this.#days.delete(end)
    this.#whole.delete(end)
  }

  #forget(id: string): void {
    this.#ids.delete(id)
    this.#goals.delete(id)
  }

  /** The end of the newest day of the period (unix seconds) that somebody was not asked for; null: there is none. */
  #missingDay(nowSeconds: number): { readonly end: number; readonly ids: readonly string[] } | null {
    const midnight = Math.floor(nowSeconds / DAY_SECONDS) * DAY_SECONDS
    for (let end = midnight; end > midnight - this.#periodSeconds() + DAY_SECONDS; end -= DAY_SECONDS) {
      const counts = this.#days.get(end) ?? new Map<string, null>()
      const hadAny = this.#whole.get(end) ?? null
      const ids = hadAny === null ? this.#lackingIn(counts) : []
      if (ids.length > 0) return { end, ids }
      const hasAny = hadAny ?? [...this.#ids.keys()].some((id) => counts.get(id) !== null)
      this.#whole.set(end, hasAny)
      // Nothing is kept from before: what is further back is not asked for.
      if (!hasAny) return null
    }
    return null
  }

  #periodSeconds(): number {
    return Math.max(0, ...[...this.#ids.keys()].map((id) => this.#goalsOf(id)?.periodSeconds ?? 0))
  }

  /** Null when anything of it was not answered. */
  async #ask(
    ids: readonly string[],
    windowSeconds: number,
    atSeconds: number,
    signal: AbortSignal,
  ): Promise<Counts | null> {
    const { api, cluster, dialects } = this.#options
    const counts = new Map<string, WindowCount | null>()
    for (let from = 0; from < ids.length; from += MOST_AT_ONCE) {
      const part = ids.slice(from, from + MOST_AT_ONCE)
      const slowMatters = part.some((id) =>
        Object.keys(this.#goalsOf(id)?.latencySeconds ?? {}).some((m) => m !== 'mean'),
      )
      const refs = part.flatMap((id) => parseWorkloadId(id) ?? [])
      const questions = (dialect: Dialect) => countQuestions(dialect, windowSeconds, refs, slowMatters)
      const answer = await askNow(api, cluster, dialects(), questions, atSeconds, signal)
      if ('error' in answer || answer.failures.length > 0) return null
      for (const id of part) {
        counts.set(id, this.#countIn(answer.observation, id, windowSeconds, atSeconds))
      }
    }
    return counts
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
    if (known !== undefined) return known
    const goals = goalsFor(this.#options.goals, id)
    this.#goals.set(id, goals)
    return goals
  }
}
