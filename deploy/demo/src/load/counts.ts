/** What a load generator itself has seen. Times are unix seconds, durations seconds. */
export interface Counts {
  started: number
  ok: number
  /** Answered with an error other than a timeout. */
  failed: number
  timeouts: number
  latencySeconds: number
}

export interface CountsAt extends Counts {
  readonly at: number
}

export interface LoadRecorder {
  started(): void
  ended(status: number, latencySeconds: number): void
  /** Begins a phase's own counts. */
  beginPhase(phase: string): void
  totals(): Counts
  /** Counts per phase name, over all rounds. */
  phases(): Readonly<Record<string, Counts>>
  /** Of the phase that runs: unix seconds of its first request. */
  firstRequestOfPhaseAt(): number | null
  /** Rate and percentiles of the last few seconds. */
  recent(): RecentLoad
  /** Totals once per second, newest last. */
  cumulative(): readonly CountsAt[]
  tick(): void
}

export interface RecentLoad {
  readonly windowSeconds: number
  readonly requestsPerSecond: number
  readonly failedPerSecond: number
  readonly p50Seconds: number | null
  readonly p95Seconds: number | null
  readonly p99Seconds: number | null
}

const RECENT_SECONDS = 15
const CUMULATIVE_SECONDS = 1800

const empty = (): Counts => ({ started: 0, ok: 0, failed: 0, timeouts: 0, latencySeconds: 0 })

export function createLoadRecorder(nowSeconds: () => number = () => Date.now() / 1000): LoadRecorder {
  const totals = empty()
  const byPhase: Record<string, Counts> = {}
  let phase = empty()
  let firstRequestAt: number | null = null
  let answers: { at: number; ok: boolean; latencySeconds: number }[] = []
  let history: CountsAt[] = []

  function recentAnswers(): typeof answers {
    const oldest = nowSeconds() - RECENT_SECONDS
    answers = answers.filter((answer) => answer.at >= oldest)
    return answers
  }

  return {
    started() {
      firstRequestAt ??= nowSeconds()
      totals.started++
      phase.started++
    },
    ended(status, latencySeconds) {
      const ok = status < 400
      answers.push({ at: nowSeconds(), ok, latencySeconds })
      for (const counts of [totals, phase]) {
        if (ok) counts.ok++
        else if (status === 504) counts.timeouts++
        else counts.failed++
        counts.latencySeconds += latencySeconds
      }
    },
    beginPhase(name) {
      phase = byPhase[name] ?? empty()
      byPhase[name] = phase
      firstRequestAt = null
    },
    totals: () => ({ ...totals }),
    phases: () => byPhase,
    firstRequestOfPhaseAt: () => firstRequestAt,
    recent() {
      const sample = recentAnswers()
      const sorted = sample.map((answer) => answer.latencySeconds).sort((a, b) => a - b)
      const quantile = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? null
      return {
        windowSeconds: RECENT_SECONDS,
        requestsPerSecond: sample.length / RECENT_SECONDS,
        failedPerSecond: sample.filter((answer) => !answer.ok).length / RECENT_SECONDS,
        p50Seconds: quantile(0.5),
        p95Seconds: quantile(0.95),
        p99Seconds: quantile(0.99),
      }
    },
    cumulative: () => history,
    tick() {
      history.push({ at: nowSeconds(), ...totals })
      if (history.length > CUMULATIVE_SECONDS) history = history.slice(-CUMULATIVE_SECONDS)
      recentAnswers()
    },
  }
}
