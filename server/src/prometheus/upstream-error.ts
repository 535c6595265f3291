import type { ShownCertificate } from './peer-certificate.ts'
import { isBeforeTunnel } from './tunnel-errors.ts'

export type UpstreamErrorKind =
  | 'timeout'
  | 'unreachable'
  | 'tls'
  | 'unauthorized'
  | 'rejected'
  | 'malformed'
  | 'tooLarge'
  | 'empty'
  | 'aborted'

/**
 * Why an endpoint gave no usable answer. `message` is in words for the person who runs Goldseam, with a hint what to
 * do; it never holds a secret or the text of a query.
 */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly kind: UpstreamErrorKind
  /** How long the endpoint asked to be left alone; null when it did not say. */
  readonly retryAfterSeconds: number | null

  constructor(kind: UpstreamErrorKind, message: string, cause?: unknown, retryAfterSeconds: number | null = null) {
    super(message, { cause })
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * A Prometheus that answers, but failed at this question, as where a block of some of its series is damaged: others may
 * well be answered, by it or by another replica this one too.
 */
export class QuestionFailed extends UpstreamError {
  constructor(message: string, retryAfterSeconds: number | null) {
    super('unreachable', message, undefined, retryAfterSeconds)
  }
}

/** The same failure in other words; what went wrong before it would still hold the first ones. */
export function reworded(error: UpstreamError, message: string): UpstreamError {
  const { kind, retryAfterSeconds } = error
  return error instanceof QuestionFailed
    ? new QuestionFailed(message, retryAfterSeconds)
    : new UpstreamError(kind, message, null, retryAfterSeconds)
}

/**
 * Whether a failure says that the endpoint answers nothing at present. What it refuses, garbles, makes too large or fails
 * at concerns one question; the others may well be answered. Of several replicas that failed the first one speaks, which
 * is the cause then.
 */
export function isHopeless(error: UpstreamError): boolean {
  return isTrouble(error) && !(error instanceof QuestionFailed || error.cause instanceof QuestionFailed)
}

/** Whether the endpoint may be in trouble: if nothing is answered between such failures, it is. */
export function isTrouble({ kind }: UpstreamError): boolean {
  return kind === 'timeout' || kind === 'unreachable' || kind === 'tls' || kind === 'unauthorized'
}

/**
 * Any failure of a request to `url` as an `UpstreamError`; `signal` tells a caller who left from one who ran out of
 * time. With a `proxy` on the way it is the proxy that is connected to.
 */
export function asUpstreamError(error: unknown, { url, proxy, signal, tls = NO_FACTS }: Asked): UpstreamError {
  if (error instanceof UpstreamError) return error
  if (signal.aborted) {
    return signal.reason instanceof UpstreamError
      ? signal.reason
      : new UpstreamError('aborted', 'nobody waits for the answer any more', error)
  }
  const host = new URL(url).host
  const code = errorCode(error)
  const refusedByProxy = statusOfProxy(error)
  if (refusedByProxy !== null) {
    const advice = 'check that it may go there and asks for no credentials'
    return new UpstreamError(
      'unreachable',
      `the proxy refused the way to ${host} (HTTP ${refusedByProxy}); ${advice}`,
      error,
    )
  }
  const next = proxy === null ? host : `the proxy ${new URL(proxy).host}`
  const isOfProxy = proxy !== null && isBeforeTunnel(error)
  const advice = isOfProxy ? tlsAdvice(code, next, null) : tlsAdvice(code, host, tls)
  if (advice !== null) return new UpstreamError('tls', advice, error)
  if (code.startsWith('HPE_') || code === 'ERR_INVALID_HTTP_RESPONSE' || isNoHttp(error)) {
    const who = isOfProxy ? next : host
    return new UpstreamError('malformed', `${who} does not answer in HTTP; check scheme and port`, error)
  }
  return new UpstreamError('unreachable', connectionAdvice(code, next, url.startsWith('https:')), error)
}

/** With what a proxy refused; undici says it in words only: the first of a tunnel, the others where there is none. */
function statusOfProxy(error: unknown): string | null {
  const message = error instanceof Error ? error.message : ''
  const [, tunnel, plain] = /^Proxy (?:response \((\d+)\)|Authentication Required \((407)\))/.exec(message) ?? []
  return tunnel ?? plain ?? null
}

/** What comes first in an answer may be so far from HTTP that its parser has no code for it. */
function isNoHttp(error: unknown): boolean {
  return error instanceof Error && error.name === 'HTTPParserError'
}

interface Asked {
  readonly url: string
  readonly proxy: string | null
  readonly signal: AbortSignal
  readonly tls?: TlsFacts
}

/** `certificate`: what the endpoint last showed. */
interface TlsFacts {
  readonly certificate: ShownCertificate | null
  readonly nowSeconds: number
}

const NO_FACTS: TlsFacts = { certificate: null, nowSeconds: 0 }

function connectionAdvice(code: string, host: string, overTls: boolean): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `nothing listens at ${host}; check the URL and that it runs`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name in ${host} does not resolve; check the URL and DNS`
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return `no way to ${host}; check the network, VPN and firewalls`
    case 'UND_ERR_HEADERS_TIMEOUT':
      // Only ways through a proxy have a time limit of their own.
      return `${host} does not answer; check that it can reach the endpoint`
    case 'UND_ERR_HEADERS_OVERFLOW':
      return `${host} answers with headers of more than 16 KiB; look at what is before it`
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      // In TLS 1.3 a server that does not like our certificate often just hangs up.
      return `${host} closed the connection; it may be restarting${overTls ? ', overloaded, or want another certificate (certFile)' : ' or overloaded'}`
    default:
      return `asking ${host} failed${code === '' ? '' : ` (${code})`}`
  }
}

/** What to do about a TLS failure; null when it is none. `facts` are null of a proxy: none are kept. */
function tlsAdvice(code: string, host: string, facts: TlsFacts | null): string | null {
  const { certificate, nowSeconds } = facts ?? NO_FACTS
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return `${expiry(host, certificate, nowSeconds)}; renew it, or set the clock of this machine`
    case 'CERT_NOT_YET_VALID':
      return `the certificate of ${host} is not valid ${certificate === null ? 'yet' : `before ${day(certificate.startsAtSeconds)}`}; set the clock of this machine`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `the certificate of ${host} is made out to other names; put one of them into its URL, or renew it`
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'CERT_SIGNATURE_FAILURE':
      return `the certificate of ${host} is not signed by an authority trusted here; set caFile to the one that signed it`
    default:
      break
  }
  if (/ALERT/.test(code) && /CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE/.test(code))
    return facts === null
      ? `${host} refused the handshake (${code}); if it wants a certificate, Goldseam shows one to endpoints only`
      : `${host} does not accept Goldseam's certificate (${code}); check certFile and keyFile`
  return isTlsCode(code)
    ? `TLS with ${host} failed (${code}); check caFile, the host name and whether it speaks https`
    : null
}

/** With the date, so that nobody has to look for it; it may be that of one that signed the endpoint's own. */
function expiry(host: string, certificate: ShownCertificate | null, nowSeconds: number): string {
  const { endsAtSeconds: own, signersEndAtSeconds: signers } = certificate ?? {}
  if (own !== undefined && own <= nowSeconds) return `the certificate of ${host} has expired on ${day(own)}`
  return signers != null && signers <= nowSeconds
    ? `a certificate that signed that of ${host} has expired on ${day(signers)}`
    : `the certificate of ${host} has expired`
}

/** "2 Jan 2020, 00:00 UTC": no order of numbers that is read otherwise elsewhere. */
function day(seconds: number): string {
  const [, date, time] = /^\w+, (\d+ \w+ \d+) (\d+:\d+)/.exec(new Date(seconds * 1_000).toUTCString()) ?? []
  return `${date?.replace(/^0/, '')}, ${time} UTC`
}

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { code, errors, cause } = error as { code?: unknown; errors?: unknown; cause?: unknown }
  // Of a proxy's certificate, and what is wrong with it is the cause.
  if (code === 'UND_ERR_PRX_TLS') return errorCode(cause)
  if (typeof code === 'string') return code
  // Node tries IPv6 and IPv4 and puts both failures into one.
  if (Array.isArray(errors) && errors.length > 0) return errorCode(errors[0])
  return cause === undefined ? '' : errorCode(cause)
}

function isTlsCode(code: string): boolean {
  return /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$|HOSTNAME_MISMATCH)/.test(code)
}
