import { type Matcher, selector } from '../dialects/promql.ts'
import { allLabels } from '../domain/apart.ts'
import type { FiringAlert, Surroundings } from '../domain/surroundings.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { list, object } from '../prometheus/envelope.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { alertsOf, groupsOf } from './rule-groups.ts'
import type { SideTask } from './side-tasks.ts'
import type { Gap } from './snapshot.ts'

export interface AlertReaderOptions {
  readonly cluster: string
  readonly api: PrometheusApi
  /** What tells the cluster's alerts from others' behind the same endpoint. */
  readonly matcher: Matcher | null
}

type Alerts = NonNullable<Surroundings['alerts']>

/** What the question is called. */
export const ALERTS = 'alerts'
const AGAIN_SECONDS = 5
const AFTER_FAILURE_SECONDS = 10
/** Alerts further than this from the instant that is shown are not shown as firing. */
const GOOD_FOR_SECONDS = 120
/** What an endpoint says that evaluates no rules. */
const NO_SUCH_PLACE = [404, 405, 501]

/** The alerts that fire in one cluster's Prometheus, by its own word. */
export class AlertReader implements SideTask {
  readonly #options: AlertReaderOptions
  #alerts: Alerts | null = null
  #askedAtSeconds = Number.NEGATIVE_INFINITY
  #dueAtSeconds = 0
  #failure: { error: UpstreamError; sinceSeconds: number } | null = null
  /** Whether the cluster did not answer anything since it was asked last. */
  #clusterFailed = false

  constructor(options: AlertReaderOptions) {
    this.#options = options
  }

  /** What is due later than it can be is of a clock that was set back. */
  dueAt(nowSeconds: number): number {
    return this.#dueAtSeconds - nowSeconds > AFTER_FAILURE_SECONDS ? nowSeconds : this.#dueAtSeconds
  }

  /** The cluster does not answer: what failed with it is asked for as soon as it is back. */
  clusterFailed(): void {
    this.#clusterFailed = true
    if (this.#failure !== null) this.#dueAtSeconds = 0
  }

  async run(nowSeconds: number, signal: AbortSignal): Promise<boolean> {
    this.#clusterFailed = false
    try {
      this.#alerts = await this.#ask(signal)
      this.#failure = null
      this.#askedAtSeconds = nowSeconds
      this.#dueAtSeconds = nowSeconds + AGAIN_SECONDS
      return true
    } catch (error) {
      this.#dueAtSeconds = this.#clusterFailed ? 0 : nowSeconds + AFTER_FAILURE_SECONDS
      if (!(error instanceof UpstreamError)) throw error
      this.#failure = { error, sinceSeconds: this.#failure?.sinceSeconds ?? nowSeconds }
      return false
    }
  }

  /**
   * Null: not known, or not any more. The instant that is shown lags behind the clock that alerts are asked by, so a
   * little newer ones stand for it; where they are much newer, the clock was set back.
   */
  known(atSeconds: number): Alerts | null {
    return Math.abs(atSeconds - this.#askedAtSeconds) <= GOOD_FOR_SECONDS ? this.#alerts : null
  }

  gaps(): Gap[] {
    if (this.#failure === null) return []
    const { error, sinceSeconds } = this.#failure
    return [{ cluster: this.#options.cluster, what: 'alerts', why: error.kind, detail: error.message, sinceSeconds }]
  }

  /** Those that fired at an instant of the past: by the series that Prometheus keeps of them. */
  async at(atSeconds: number, signal: AbortSignal): Promise<Alerts | null> {
    const firing = selector('ALERTS', [{ label: 'alertstate', op: '=', value: 'firing' }])
    const told = await this.#options.api.query(firing, atSeconds, signal, 'firing alerts').catch(() => null)
    if (told === null) return null
    return { told: true, firing: Array.from(told.data, (series) => alertOf(allLabels(series), {}, null)) }
  }

  async #ask(signal: AbortSignal): Promise<Alerts> {
    const { api, matcher } = this.#options
    const alone = matcher === null
    // Alerts alone do not tell whose they are among many clusters; their rules do.
    const answer = await api.forward(
      {
        path: alone ? '/api/v1/alerts' : '/api/v1/rules',
        method: 'GET',
        fields: alone ? [] : [['type', 'alert']],
        timeoutSeconds: null,
        about: ALERTS,
      },
      signal,
    )
    if (answer.state === 'refused') {
      if (NO_SUCH_PLACE.includes(answer.status)) return { firing: [], told: false }
      throw new UpstreamError('rejected', `alerts: HTTP ${answer.status} ${answer.error}`)
    }
    const told = alone
      ? list(object(answer.data, 'data').alerts ?? [], 'alerts')
      : alertsOf(groupsOf(answer.data, matcher))
    const firing = told.flatMap((one) => readAlert(one) ?? [])
    return {
      told: true,
      firing: matcher === null ? firing : firing.filter(({ labels }) => labels[matcher.label] === matcher.value),
    }
  }
}

/** Null for what is only pending, and for what is no alert. */
function readAlert(value: unknown): FiringAlert | null {
  const { labels, annotations, state, activeAt } = record(value)
  if (state !== 'firing') return null
  const since = typeof activeAt === 'string' ? Date.parse(activeAt) / 1_000 : Number.NaN
  return alertOf(texts(labels), texts(annotations), Number.isNaN(since) ? null : since)
}

function alertOf(
  { alertname, alertstate: _firing, __name__: _name, ...labels }: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>>,
  sinceSeconds: number | null,
): FiringAlert {
  return {
    name: alertname || 'unnamed',
    severity: labels.severity || null,
    summary: annotations.summary || annotations.message || annotations.description || null,
    sinceSeconds,
    labels,
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function texts(value: unknown): Record<string, string> {
  const entries = Object.entries(record(value))
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
