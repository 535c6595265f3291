import type { ForwardedAnswer } from '../../prometheus/api.ts'
import { UpstreamError, type UpstreamErrorKind } from '../../prometheus/upstream-error.ts'

/** The error types of Prometheus' own API; each goes with one status code. */
export type ReadErrorType =
  | 'bad_data'
  | 'execution'
  | 'timeout'
  | 'canceled'
  | 'unavailable'
  | 'internal'
  | 'not_found'
  | 'not_acceptable'

const STATUS: Readonly<Record<ReadErrorType, number>> = {
  bad_data: 400,
  execution: 422,
  timeout: 503,
  canceled: 499,
  unavailable: 503,
  internal: 500,
  not_found: 404,
  not_acceptable: 406,
}

/** Why a question to the read API has no answer, as Prometheus would put it. */
export class ReadFailure extends Error {
  override readonly name = 'ReadFailure'
  readonly errorType: ReadErrorType
  /** Who gave nothing, where nobody answered. */
  readonly missing: readonly Missing[]

  constructor(errorType: ReadErrorType, message: string, missing: readonly Missing[] = []) {
    super(message)
    this.errorType = errorType
    this.missing = missing
  }

  get status(): number {
    return STATUS[this.errorType]
  }
}

export function badParameter(name: string, message: string): ReadFailure {
  return new ReadFailure('bad_data', `invalid parameter "${name}": ${message}`)
}

/** One cluster that gave nothing. */
export interface Missing {
  readonly cluster: string
  readonly errorType: ReadErrorType
  readonly text: string
  /** In the words of its Prometheus, which understood the request. */
  readonly worded: boolean
}

export function missingBy(cluster: string, failure: unknown): Missing {
  if (!(failure instanceof UpstreamError)) throw failure
  return { cluster, errorType: typeOf(failure.kind), text: failure.message, worded: false }
}

export function refusedBy(cluster: string, answer: ForwardedAnswer & { state: 'refused' }): Missing {
  const known = answer.errorType in STATUS
  const errorType = known ? (answer.errorType as ReadErrorType) : 'execution'
  return { cluster, errorType, text: answer.error, worded: true }
}

export function warningOf({ cluster, errorType, text }: Missing): string {
  return `cluster ${cluster} is missing (${errorType}): ${text}`
}

const TELLING: readonly ReadErrorType[] = ['bad_data', 'execution', 'timeout', 'canceled']

/** Nobody answered. What a Prometheus says about the question itself tells more than that another is down. */
export function allMissing(missing: readonly Missing[]): ReadFailure {
  const worded = missing.filter((one) => one.worded)
  const rank = ({ errorType }: Missing) => TELLING.indexOf(errorType) + 1 || TELLING.length + 1
  const [first] = (worded.length > 0 ? worded : missing).toSorted((a, b) => rank(a) - rank(b))
  if (first === undefined) return new ReadFailure('unavailable', 'no cluster is there to be asked')
  if (first.worded) return new ReadFailure(first.errorType, first.text, missing)
  const texts = missing.map(({ cluster, text }) => `cluster ${cluster}: ${text}`)
  return new ReadFailure(first.errorType, texts.join('; '), missing)
}

function typeOf(kind: UpstreamErrorKind): ReadErrorType {
  switch (kind) {
    case 'timeout':
      return 'timeout'
    case 'aborted':
      return 'canceled'
    case 'tooLarge':
    case 'rejected':
      return 'execution'
    case 'unreachable':
    case 'tls':
    case 'unauthorized':
    case 'malformed':
    case 'empty':
      return 'unavailable'
    default:
      return kind satisfies never
  }
}
