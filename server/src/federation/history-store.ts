import type { Question, SeriesColumn } from '../dialects/dialect.ts'
import type { Axis } from '../domain/baseline.ts'
import { emptyColumn } from '../domain/columns.ts'
import type { NativeHistogram } from '../domain/native-histogram.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import { type Answers, collectRange } from './collect.ts'

interface Frame {
  readonly labels: Readonly<Record<string, string>>
  readonly values: Map<number, number>
  readonly histograms: Map<number, NativeHistogram>
}

/**
 * One cluster's answers over the last stretch of time. Filled by one range query, then only the missing steps are
 * asked for. Overlapping calls of `fill` ask twice and store the same.
 */
export class HistoryStore {
  readonly #frames = new Map<string, Map<string, Frame>>()
  #filledFrom = Number.POSITIVE_INFINITY
  #filledTo = Number.NEGATIVE_INFINITY

  /** Asks for what is missing of the axis; returns the failures, after which the steps stay missing. */
  async fill(
    api: PrometheusApi,
    questions: readonly Question[],
    axis: Axis,
    signal: AbortSignal,
  ): Promise<readonly { question: string; error: UpstreamError }[]> {
    if (axis.steps === 0) return []
    const last = axis.fromSeconds + (axis.steps - 1) * axis.stepSeconds
    const reusable = this.#filledFrom <= axis.fromSeconds && this.#filledTo >= axis.fromSeconds
    const fromSeconds = reusable ? this.#filledTo + axis.stepSeconds : axis.fromSeconds
    if (fromSeconds > last) return []
    if (!reusable) this.#frames.clear()
    const steps = Math.round((last - fromSeconds) / axis.stepSeconds) + 1
    const range = { fromSeconds, stepSeconds: axis.stepSeconds, steps }
    const { answers, failures } = await collectRange(api, questions, range, signal)
    // A half-filled step would show as a dip in whatever was not answered: ask again next time instead.
    if (failures.length > 0) return failures
    for (const [question, series] of answers) this.#append(question, series, range)
    if (!reusable) this.#filledFrom = fromSeconds
    this.#filledTo = last
    this.#forgetBefore(axis.fromSeconds)
    return []
  }

  /** What is known on the axis, NaN elsewhere; null when nothing was ever filled. */
  read(axis: Axis): Answers | null {
    if (this.#frames.size === 0) return null
    const answers = new Map<string, SeriesColumn[]>()
    for (const [question, frames] of this.#frames) {
      const list: SeriesColumn[] = []
      for (const { labels, values, histograms } of frames.values()) {
        const column = emptyColumn(axis.steps)
        for (let step = 0; step < axis.steps; step += 1) {
          column[step] = values.get(axis.fromSeconds + step * axis.stepSeconds) ?? Number.NaN
        }
        if (histograms.size === 0) list.push({ labels, values: column })
        else {
          const at = (_: number, step: number) => histograms.get(axis.fromSeconds + step * axis.stepSeconds) ?? null
          list.push({ labels, values: column, histograms: Array.from(column, at) })
        }
      }
      answers.set(question, list)
    }
    return answers
  }

  #append(
    question: string,
    series: readonly SeriesColumn[],
    range: { fromSeconds: number; stepSeconds: number; steps: number },
  ): void {
    const frames = this.#frames.get(question) ?? new Map<string, Frame>()
    this.#frames.set(question, frames)
    for (const { labels, values, histograms = [] } of series) {
      const key = Object.keys(labels)
        .sort()
        .map((label) => `${label}\u0000${labels[label]}`)
        .join('\u0001')
      const frame = frames.get(key) ?? {
        labels,
        values: new Map<number, number>(),
        histograms: new Map<number, NativeHistogram>(),
      }
      frames.set(key, frame)
      values.forEach((value, step) => {
        if (!Number.isNaN(value)) frame.values.set(range.fromSeconds + step * range.stepSeconds, value)
      })
      histograms.forEach((histogram, step) => {
        if (histogram !== null) frame.histograms.set(range.fromSeconds + step * range.stepSeconds, histogram)
      })
    }
  }

  #forgetBefore(seconds: number): void {
    for (const frames of this.#frames.values()) {
      for (const [key, frame] of frames) {
        for (const steps of [frame.values, frame.histograms]) {
          for (const at of steps.keys()) {
            if (at >= seconds) break
            steps.delete(at)
          }
        }
        if (frame.values.size + frame.histograms.size === 0) frames.delete(key)
      }
    }
    this.#filledFrom = Math.max(this.#filledFrom, seconds)
  }
}

const STORES_KEPT = 4

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
