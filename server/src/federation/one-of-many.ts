import { type Matcher, within } from '../dialects/promql.ts'
import type { Listed } from '../domain/listed.ts'
import type { ForwardedQuestion, PrometheusApi, Told } from '../prometheus/api.ts'
import type { UpstreamError } from '../prometheus/upstream-error.ts'
import { NothingForSure, storeTrouble } from './store-trouble.ts'

export interface OneOfMany {
  /** What tells the cluster from the others behind the endpoint. */
  readonly matcher: Matcher
  /** Why it cannot be asked about an instant, unix seconds (null: the present); null when it can. */
  absence(atSeconds: number | null): UpstreamError | null
  /** The same, looked up anew: asked when an answer was empty; null: of what has no instant. */
  confirmedAbsence(empty: EmptyAnswer | null): Promise<UpstreamError | null>
}

/** An answer with nothing in it. */
export interface EmptyAnswer {
  /** The newest instant that was asked about, unix seconds. */
  readonly atSeconds: number
  /** Whether the cluster told something else of about that time: then it is there, and has nothing to say to this one. */
  readonly isThere: boolean
}

/** What a question finds that looks back no further, somebody has counted of late: series stay as long when all ends. */
const OF_LATE_SECONDS = 300
/** Answers of two snapshots, one after the other, are of about the same time. */
const SAME_TIME_SECONDS = 60

/**
 * One cluster of an endpoint that holds many, as if it had a Prometheus of its own: its external label becomes a
 * condition of every selector. One query for all, answered by (cluster, ...), would be fewer queries but one fate: a
 * store that hangs would hold the rows of all, and a cap or refusal would hit all. So each is asked for itself, and a
 * Thanos then asks only the stores whose external labels match.
 */
export function oneOfMany(api: PrometheusApi, { matcher, absence, confirmedAbsence }: OneOfMany): PrometheusApi {
  const scoped = (expression: string) => within(expression, [matcher])
  /** The newest instant that it told something of, unix seconds. */
  let toldOfSeconds = Number.NEGATIVE_INFINITY

  async function asked<L extends Listed<unknown>>(atSeconds: number | null, ask: () => Promise<Told<L>>) {
    refuse(absence(atSeconds))
    const told = await ask()
    if (told.data.length === 0) await refuseEmpty(told.warnings, atSeconds)
    return told
  }

  /** Nothing from nobody is not "no traffic": the last good values stand in for it. */
  async function refuseEmpty(warnings: readonly string[], atSeconds: number | null): Promise<void> {
    const [trouble] = warnings.flatMap((warning) => storeTrouble(warning) ?? [])
    if (trouble !== undefined) throw new NothingForSure(trouble, warnings)
    const isThere = atSeconds !== null && atSeconds - toldOfSeconds <= SAME_TIME_SECONDS
    refuse(await confirmedAbsence(atSeconds === null ? null : { atSeconds, isThere }))
  }

  return {
    ...api,
    async query(promql, atSeconds, signal, question) {
      const own = scoped(promql)
      // What selects nothing would be answered for any cluster: by it is learnt whether this one can be asked at all.
      const aboutSeconds = own === promql ? null : atSeconds
      const told = await asked(aboutSeconds, () => api.query(own, atSeconds, signal, question))
      if (told.data.length > 0 && aboutSeconds !== null && looksBackSeconds(own) <= OF_LATE_SECONDS)
        toldOfSeconds = Math.max(toldOfSeconds, aboutSeconds)
      return told
    },
    queryRange: (promql, range, signal, question) =>
      asked(range.toSeconds, () => api.queryRange(scoped(promql), range, signal, question)),
    labelValues: (label, match, range, signal) =>
      asked(range.toSeconds, () =>
        api.labelValues(label, (match.length === 0 ? ['{}'] : match).map(scoped), range, signal),
      ),
    /**
     * Its text is not looked into: whoever forwards puts the condition in. Of a range that began while the cluster was
     * there, what there is is handed back, and why it ends is said.
     */
    async forward(question, signal) {
      const { fromSeconds, toSeconds } = spanOf(question)
      refuse(absence(fromSeconds))
      const answer = await api.forward(question, signal)
      if (answer.state !== 'answered') return answer
      if (isEmpty(answer.data)) await refuseEmpty(answer.warnings, toSeconds)
      const absent = absence(toSeconds)
      return absent === null ? answer : { ...answer, warnings: [...answer.warnings, absent.message] }
    },
  }
}

function refuse(absence: UpstreamError | null): void {
  if (absence !== null) throw absence
}

/** A list without entries, or the result of a query without series. */
function isEmpty(data: unknown): boolean {
  const list = Array.isArray(data) ? data : (data as { result?: unknown } | null)?.result
  return Array.isArray(list) && list.length === 0
}

/** The longest range in a query that this house's builder wrote, in seconds. */
function looksBackSeconds(promql: string): number {
  const ranges = [...promql.matchAll(/\[(\d+)(ms|s)[\]:]/g)]
  return Math.max(0, ...ranges.map(([, count, unit]) => Number(count) / (unit === 'ms' ? 1_000 : 1)))
}

/** What time somebody else's question is about, unix seconds; null where it does not tell. */
function spanOf({ fields }: ForwardedQuestion) {
  const at = (...names: readonly string[]) => {
    const text = fields.find(([name]) => names.includes(name))?.[1]
    if (text === undefined || text === '') return null
    const seconds = Number.isNaN(Number(text)) ? Date.parse(text) / 1_000 : Number(text)
    return Number.isNaN(seconds) ? null : seconds
  }
  return { fromSeconds: at('start', 'time'), toSeconds: at('end', 'time') }
}
