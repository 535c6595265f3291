import type { Question, SeriesColumn } from '../dialects/dialect.ts'
import { type Axis, instantOf } from '../domain/baseline.ts'
import { emptyColumn } from '../domain/columns.ts'
import type { NativeColumn } from '../domain/native-column.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import { type Answers, collectRange } from './collect.ts'

type Failures = readonly { question: string; error: UpstreamError }[]

/**
 * One cluster's answers over the last stretch of time, one column a series. Filled by one range query, then only the
 * missing steps are asked for. Calls of `fill` that come while another runs wait for it.
 */
export class HistoryStore {
  readonly #columns = new Map<string, Map<string, SeriesColumn>>()
  /** What the columns cover; null: nothing yet. */
  #axis: Axis | null = null
  #under: Promise<Failures> | null = null
  #version = 0

  /** The last instant that was asked for, unix seconds. */
  get knownTo(): number | null {
    return this.#axis === null ? null : instantOf(this.#axis, this.#axis.steps - 1)
  }

  /** Another one whenever something else is known. */
  get version(): number {
    return this.#version
  }

  /** Asks for what is missing of the axis; returns the failures, after which the steps stay missing. */
  async fill(api: PrometheusApi, questions: readonly Question[], axis: Axis, signal: AbortSignal): Promise<Failures> {
    while (this.#under !== null) {
      const failures = await this.#under
      // Its viewers left; ours have not.
      const left = failures.some(({ error }) => error.kind === 'aborted') && !signal.aborted
      if (failures.length > 0 && !left) return failures
    }
    this.#under = this.#fill(api, questions, axis, signal).finally(() => {
      this.#under = null
    })
    return this.#under
  }

  async #fill(api: PrometheusApi, questions: readonly Question[], axis: Axis, signal: AbortSignal): Promise<Failures> {
    if (axis.steps === 0) return []
    const last = instantOf(axis, axis.steps - 1)
    const known = this.#axis
    const knownTo = known === null ? Number.NEGATIVE_INFINITY : instantOf(known, known.steps - 1)
    const reusable = known !== null && known.fromSeconds <= axis.fromSeconds && knownTo >= axis.fromSeconds
    const fromSeconds = reusable ? knownTo + axis.stepSeconds : axis.fromSeconds
    if (fromSeconds > last) return []
    const steps = Math.round((last - fromSeconds) / axis.stepSeconds) + 1
    const { answers, failures } = await collectRange(
      api,
      questions,
      { fromSeconds, stepSeconds: axis.stepSeconds, steps },
      signal,
    )
    // A half-filled step would show as a dip in whatever was not answered: ask again next time instead.
    if (failures.length > 0) return failures
    if (!reusable) this.#columns.clear()
    this.#moveTo(axis)
    for (const [question, series] of answers) this.#append(question, series, axis.steps - steps)
    this.#version += 1
    return []
  }

  /** What is known on the axis, NaN elsewhere; null when nothing was ever filled. The columns are not to be changed. */
  read(axis: Axis): Answers | null {
    const known = this.#axis
    if (known === null || this.#columns.size === 0) return null
    const same = known.fromSeconds === axis.fromSeconds && known.steps === axis.steps
    return new Map(
      [...this.#columns].map(([question, columns]) => [
        question,
        [...columns.values()].map((series) => (same ? series : moved(series, known, axis))),
      ]),
    )
  }

  #append(question: string, series: readonly SeriesColumn[], fromStep: number): void {
    const columns = this.#columns.get(question) ?? new Map<string, SeriesColumn>()
    this.#columns.set(question, columns)
    const steps = this.#axis?.steps ?? 0
    for (const { labels, values, histograms } of series) {
      const key = Object.keys(labels)
        .sort()
        .map((label) => `${label}\u0000${labels[label]}`)
        .join('\u0001')
      const column = columns.get(key) ?? { labels, values: emptyColumn(steps) }
      column.values.set(values, fromStep)
      columns.set(key, histograms === undefined ? column : withNatives(column, histograms, fromStep))
    }
  }

  /** Lets go what lies before the axis, and makes room for what is new on it. */
  #moveTo(axis: Axis): void {
    const known = this.#axis
    this.#axis = axis
    if (known === null) return
    for (const columns of this.#columns.values()) {
      for (const [key, series] of columns) {
        const column = moved(series, known, axis)
        const empty = column.values.every(Number.isNaN) && !column.histograms?.some((one) => one !== null)
        if (empty) columns.delete(key)
        else columns.set(key, column)
      }
    }
  }
}

/** The same series on another stretch of the same steps; NaN where it was not known. */
function moved({ labels, values, histograms }: SeriesColumn, from: Axis, to: Axis): SeriesColumn {
  const column = emptyColumn(to.steps)
  const offset = Math.round((to.fromSeconds - from.fromSeconds) / to.stepSeconds)
  const first = Math.max(0, offset)
  const kept = values.subarray(Math.min(first, values.length), Math.min(values.length, offset + to.steps))
  if (kept.length > 0) column.set(kept, first - offset)
  if (histograms === undefined) return { labels, values: column }
  return { labels, values: column, histograms: Array.from(column, (_, step) => histograms[step + offset] ?? null) }
}

function withNatives(series: SeriesColumn, more: NativeColumn, fromStep: number): SeriesColumn {
  const histograms = Array.from(series.values, (_, step) => more[step - fromStep] ?? series.histograms?.[step] ?? null)
  return { ...series, histograms }
}

const STORES_KEPT = 16

/** The stores of one cluster, one a dialect and rate window; those longest not looked at go first. */
export class HistoryStores {
  readonly #stores = new Map<string, HistoryStore>()

  get(key: string): HistoryStore {
    const store = this.#stores.get(key) ?? new HistoryStore()
    this.#stores.delete(key)
    this.#stores.set(key, store)
    for (const oldest of this.#stores.keys()) {
      if (this.#stores.size <= STORES_KEPT) break
      this.#stores.delete(oldest)
    }
    return store
  }
}
