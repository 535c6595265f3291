import { setMaxListeners } from 'node:events'
import type { Matcher } from '../../dialects/promql.ts'
import type { ForwardedAnswer, ForwardedQuestion, PrometheusApi } from '../../prometheus/api.ts'
import { OutOfTime } from '../../prometheus/out-of-time.ts'
import type { UpstreamError } from '../../prometheus/upstream-error.ts'
import { allMissing, type Missing, missingBy, ReadFailure, refusedBy } from './read-failure.ts'

/** One cluster as the read API asks it. */
export interface Member {
  readonly name: string
  readonly api: Pick<PrometheusApi, 'forward' | 'status'>
  /** What tells its series from those of others behind the same endpoint; null where it is alone there. */
  readonly matcher: Matcher | null
  /** The same as one of many; null where it is alone. */
  readonly among: Among | null
  /** Set where an endpoint never told which clusters it holds: it stands for all of them, and gives nothing. */
  readonly blind?: UpstreamError
}

/** An endpoint that holds many clusters, as several of them are asked for at once. */
export interface ManyClusters {
  /** Host and port, for people. */
  readonly name: string
  /** Tells the clusters apart. */
  readonly label: string
  readonly api: Member['api']
  /** Address of each store behind it -> the label's values it holds; empty where it does not tell. */
  valuesByStore(signal: AbortSignal): Promise<ReadonlyMap<string, readonly string[]>>
}

/** One of the clusters behind such an endpoint. */
export interface Among {
  /** The same object for all that are there. */
  readonly endpoint: ManyClusters
  /** Of the endpoint's label. */
  readonly value: string
  /** Why it was not there when it was last looked for; null when it was. */
  absence(): UpstreamError | null
  /** The same, looked up anew. */
  confirmedAbsence(): Promise<UpstreamError | null>
}

export type Good = ForwardedAnswer & { state: 'answered' }

/** One cluster's answer, understood. */
export interface Part {
  readonly cluster: string
  /** `resultType` of a query; empty for lists. */
  readonly type: string
  readonly rows: readonly unknown[]
  /** What the query cost, where that was asked for. */
  readonly stats?: unknown
  readonly warnings: readonly string[]
  readonly infos: readonly string[]
}

export interface Outcome {
  readonly parts: readonly Part[]
  readonly missing: readonly Missing[]
}

/** Most of all clusters together; points: of one series. */
export interface ReadLimits {
  readonly maxResponseBytes: number
  readonly maxSeries: number
  readonly maxPoints: number
}

export interface EachQuestion {
  readonly ask: (member: Member) => Omit<ForwardedQuestion, 'timeoutSeconds'>
  /** Understands `data`; what it throws makes the cluster a missing one. */
  readonly read: (data: unknown, member: Member) => Pick<Part, 'type' | 'rows' | 'stats'>
}

export interface Asking {
  readonly timeoutSeconds: number | null
  readonly signal: AbortSignal
}

/** How much longer than a Prometheus that was told the limit. */
const GRACE_SECONDS = 0.5
/** A timer that is set for longer goes off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** Where any answer will do, so many are asked at once, so that one that hangs does not matter. */
const ASKED_FOR_ANY = 3

/** What answers that belong together have come to, of what they may. */
export interface Taken {
  bytes: number
  rows: number
}

/** Asks every member at once. Rejects only when nobody answered. `taken`: shared by questions of one answer. */
export async function askEach(
  members: readonly Member[],
  question: EachQuestion,
  limits: ReadLimits,
  asking: Asking,
  taken: Taken = { bytes: 0, rows: 0 },
): Promise<Outcome> {
  const parts: Part[] = []
  const missing: Missing[] = []
  const askOne = async (member: Member, signal: AbortSignal): Promise<void> => {
    const answer = await ask(member, question.ask(member), asking.timeoutSeconds, signal)
    if ('cluster' in answer) return void missing.push(answer)
    const { warnings, infos } = answer
    taken.bytes += answer.bytes
    if (taken.bytes > limits.maxResponseBytes)
      return void missing.push(tooMuch(member.name, limits, 'maxResponseBytes'))
    try {
      const read = question.read(answer.data, member)
      taken.rows += read.rows.length
      if (taken.rows > limits.maxSeries) missing.push(tooMuch(member.name, limits, 'maxSeries'))
      else parts.push({ cluster: member.name, ...read, warnings, infos })
    } catch (error) {
      missing.push(missingBy(member.name, error))
    }
  }
  await withinTime(asking, (signal) => Promise.all(members.map((member) => askOne(member, signal))))
  asking.signal.throwIfAborted()
  const sorted = inOrder(members, missing)
  if (parts.length === 0) throw allMissing(sorted)
  return { parts: inOrder(members, parts), missing: sorted }
}

/** The first answer of any member: for what does not depend on the data. */
export async function askAny(
  members: readonly Member[],
  question: Omit<ForwardedQuestion, 'timeoutSeconds'>,
  asking: Asking,
): Promise<{ cluster: string; answer: Good }> {
  const ranked = members.toSorted((a, b) => rank(a) - rank(b))
  const missing: Missing[] = []
  return withinTime(asking, async (signal) => {
    for (const some of [ranked.slice(0, ASKED_FOR_ANY), ranked.slice(ASKED_FOR_ANY)]) {
      const enough = new AbortController()
      const patience = AbortSignal.any([signal, enough.signal])
      setMaxListeners(0, patience)
      const first = await Promise.any(
        some.map(async (member) => {
          const answer = await ask(member, question, asking.timeoutSeconds, patience)
          if (!('cluster' in answer)) return { cluster: member.name, answer }
          // What one refuses the others would refuse too.
          if (answer.worded) return answer
          missing.push(answer)
          throw new Error(answer.text)
        }),
      ).catch(() => null)
      enough.abort()
      asking.signal.throwIfAborted()
      if (first !== null && 'answer' in first) return first
      if (first !== null) throw new ReadFailure(first.errorType, first.text)
    }
    throw allMissing(missing)
  })
}

async function ask(
  { name, api, blind }: Member,
  question: Omit<ForwardedQuestion, 'timeoutSeconds'>,
  timeoutSeconds: number | null,
  signal: AbortSignal,
): Promise<Good | Missing> {
  if (blind !== undefined) return missingBy(name, blind)
  try {
    const answer = await api.forward({ ...question, timeoutSeconds }, signal)
    return answer.state === 'answered' ? answer : refusedBy(name, answer)
  } catch (error) {
    return missingBy(name, error)
  }
}

async function withinTime<T>(
  { timeoutSeconds, signal }: Asking,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const over = () => limit.abort(new OutOfTime('query timed out in expression evaluation'))
  const milliseconds = timeoutSeconds === null ? null : (timeoutSeconds + GRACE_SECONDS) * 1_000
  const timer = milliseconds === null ? undefined : setTimeout(over, Math.min(milliseconds, LONGEST_TIMER_MS))
  const both = AbortSignal.any([signal, limit.signal])
  setMaxListeners(0, both)
  try {
    return await work(both)
  } finally {
    clearTimeout(timer)
  }
}

function tooMuch(cluster: string, limits: ReadLimits, name: 'maxResponseBytes' | 'maxSeries'): Missing {
  const unit = name === 'maxSeries' ? 'series' : 'bytes'
  const text = `all clusters together answer with more than ${limits[name]} ${unit}; select fewer clusters, or raise limits.${name}`
  return { cluster, errorType: 'execution', text, worded: false }
}

function rank({ api }: Member): number {
  const states = api.status().map(({ state }) => ['ok', 'untried', 'failing'].indexOf(state))
  return Math.min(...states)
}

function inOrder<T extends { readonly cluster: string }>(members: readonly Member[], list: readonly T[]): T[] {
  const place = new Map(members.map(({ name }, index) => [name, index]))
  return list.toSorted((a, b) => (place.get(a.cluster) ?? 0) - (place.get(b.cluster) ?? 0))
}
