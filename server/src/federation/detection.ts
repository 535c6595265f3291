import type { Dialect } from '../dialects/dialect.ts'
import { withRecorded } from '../dialects/recording.ts'
import { histogramsOf, withNative } from '../dialects/with-native.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { readRecorded } from './recorded-rules.ts'

const DETECT_AGAIN_SECONDS = 300
/** A dialect is spoken where its metrics were seen this long ago at most. */
export const DETECT_SPAN_SECONDS = 900

/** What a cluster speaks and how often it is scraped: looked up with three small questions, and again now and then. */
export class Detection {
  readonly #api: PrometheusApi
  readonly #known: readonly Dialect[]
  /** True when the configuration names the dialects. */
  readonly #fixed: boolean
  #dialects: readonly Dialect[] = []
  #scrapeIntervalSeconds: number | null = null
  #detectedAtSeconds = Number.NEGATIVE_INFINITY
  #under: Promise<void> | null = null

  constructor(api: PrometheusApi, known: readonly Dialect[], fixed: boolean) {
    this.#api = api
    this.#known = known
    this.#fixed = fixed
  }

  get dialects(): readonly Dialect[] {
    return this.#dialects
  }

  get scrapeIntervalSeconds(): number | null {
    return this.#scrapeIntervalSeconds
  }

  /** The metrics that were looked for, for whoever wonders why nothing was found. */
  get lookedFor(): readonly string[] {
    return this.#known.flatMap((dialect) => dialect.detectedBy)
  }

  /** Looks things up, at most every five minutes and once at a time. Failures are left to the reading itself. */
  async prepare(nowSeconds: number, signal: AbortSignal): Promise<void> {
    if (nowSeconds - this.#detectedAtSeconds < DETECT_AGAIN_SECONDS) return
    this.#under ??= this.#detect(nowSeconds, signal).finally(() => {
      this.#under = null
    })
    await this.#under
  }

  async #detect(nowSeconds: number, signal: AbortSignal): Promise<void> {
    const range = { fromSeconds: nowSeconds - DETECT_SPAN_SECONDS, toSeconds: nowSeconds }
    const histograms = this.#known.flatMap(histogramsOf)
    const match = [`{__name__=~"${[...this.lookedFor, ...histograms].join('|')}"}`]
    const [found, interval, recorded] = await Promise.allSettled([
      this.#api.labelValues('__name__', match, range, signal),
      this.#api.scrapeIntervalSeconds(signal),
      readRecorded(this.#api, nowSeconds, signal),
    ])
    if (interval.status === 'fulfilled') this.#scrapeIntervalSeconds = interval.value
    if (found.status === 'rejected' && !this.#fixed) return
    const present = new Set(found.status === 'fulfilled' ? found.value.data : [])
    const spoken = this.#fixed ? new Set(this.lookedFor) : present
    this.#dialects = this.#known
      .filter(({ detectedBy, unless = [] }) => anyIn(spoken, detectedBy) && !anyIn(spoken, unless))
      .map((dialect) => withRecorded(dialect, recorded.status === 'fulfilled' ? recorded.value : []))
      .map((dialect) => withNative(dialect, present))
    // Nothing found may be a mesh that is only starting: look again with the next snapshot.
    if (this.#dialects.length > 0) this.#detectedAtSeconds = nowSeconds
  }
}

function anyIn(present: ReadonlySet<string>, names: readonly string[]): boolean {
  return names.some((name) => present.has(name))
}
