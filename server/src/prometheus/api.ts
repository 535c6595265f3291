import type { LabelsApart } from '../domain/apart.ts'
import type { Values } from '../domain/columns.ts'
import type { Listed } from '../domain/listed.ts'
import type { NativeColumn } from '../domain/native-column.ts'
import type { NativeHistogram } from '../domain/native-histogram.ts'
import type { ClockSkew } from './clock-bounds.ts'
import type { RequestLog } from './request-log.ts'
import type { StepRange } from './step-range.ts'

/** One series of an instant answer. `value` may be NaN or infinite, as Prometheus gives it; NaN for a native histogram. */
export interface Sample extends LabelsApart {
  readonly value: number
  /** The value as a column of one step. */
  readonly values: readonly number[]
  readonly histogram?: NativeHistogram
}

/** One series of a range answer: one value a step, NaN where there is none. */
export interface SampleSeries extends LabelsApart {
  readonly values: Values
  /** A series may change from floats to native histograms and back: each of them has its steps. */
  readonly histograms?: NativeColumn
}

/** Data with what came along. */
export interface Told<T> {
  readonly data: T
  /** What may be missing of it: does not mean failure, and is always shown. */
  readonly warnings: readonly string[]
  /** Remarks of the engine on the query itself; nothing is missing because of them. */
  readonly infos?: readonly string[]
  /**
   * How long the query took to evaluate, by the server's own clock; where it does not tell, how long the call took
   * without its time in line. Absent where nobody measured.
   */
  readonly evalSeconds?: number
  /** Size of the answer's text, unpacked. */
  readonly bytes?: number
}

export interface EndpointStatus {
  readonly url: string
  readonly state: 'ok' | 'failing' | 'untried'
  readonly reason: string | null
  readonly lastAnswerAtSeconds: number | null
  readonly querySecondsP95: number | null
  /** What Goldseam costs it: seconds that queries took in each second of the last minute. */
  readonly querySecondsPerSecond: number
  /** Seconds that queries took since the start. */
  readonly querySecondsTotal: number
  readonly version: string | null
  /** How long it keeps samples, in its own words ("15d"); null where it does not tell. */
  readonly retention: string | null
  /** How far its clock is ahead of ours, by its Date headers; null when it never answered or does not tell. */
  readonly clockSkew: ClockSkew | null
  /** Until when the certificate is good that it last showed (unix); null without TLS, or before the first connection. */
  readonly certificateEndsAtSeconds: number | null
  readonly breaker: BreakerStatus
  readonly log: Pick<RequestLog, 'recent' | 'lastHour'>
}

/** A question in somebody else's words: handed on as it is, and its answer handed back as it came. */
export interface ForwardedQuestion {
  /** Below the API's prefix, such as `/api/v1/query`; already percent-encoded. */
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** How long whoever asks will wait; null = as long as the endpoint is given. */
  readonly timeoutSeconds: number | null
  /** What Goldseam itself wants to know by it, for the record of requests; unset: somebody else does. */
  readonly about?: string
}

/** What came of it. A refusal (bad query, too many samples, too long) is an answer too: the endpoint lives. */
export type ForwardedAnswer =
  | {
      readonly state: 'answered'
      /** `data` of the envelope, not looked into. */
      readonly data: unknown
      readonly warnings: readonly string[]
      readonly infos: readonly string[]
      /** Size of the answer's text. */
      readonly bytes: number
    }
  | { readonly state: 'refused'; readonly status: number; readonly errorType: string; readonly error: string }

/** Whether an endpoint is asked at all: `open` = not before `nextTryAtSeconds` (unix), `halfOpen` = one call tries it. */
export interface BreakerStatus {
  readonly state: 'closed' | 'open' | 'halfOpen'
  readonly nextTryAtSeconds: number | null
}

/**
 * The port to one cluster's metrics. Every method rejects with `UpstreamError` and stops the request upstream when
 * `signal` aborts. Times are unix seconds.
 */
export interface PrometheusApi {
  /** `question`: what is wanted to be known, in a word, for the record of requests. */
  query(promql: string, atSeconds: number, signal: AbortSignal, question?: string): Promise<Told<Listed<Sample>>>
  queryRange(
    promql: string,
    range: StepRange,
    signal: AbortSignal,
    question?: string,
  ): Promise<Told<Listed<SampleSeries>>>
  /** Values of one label among the series that match, over a short range. */
  labelValues(
    label: string,
    match: readonly string[],
    range: { fromSeconds: number; toSeconds: number },
    signal: AbortSignal,
  ): Promise<Told<readonly string[]>>
  /** Rejects only where there is no answer to hand back. */
  forward(question: ForwardedQuestion, signal: AbortSignal): Promise<ForwardedAnswer>
  /** Scrape intervals of the jobs in the running config, in seconds; null where the server does not tell. */
  scrapeIntervalSeconds(signal: AbortSignal): Promise<number | null>
  /** What is known of each endpoint behind this port, for `/api/v1/clusters`. */
  status(): readonly EndpointStatus[]
}
