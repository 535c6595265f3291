export type UpstreamErrorKind =
  | 'timeout'
  | 'unreachable'
  | 'tls'
  | 'unauthorized'
  | 'rejected'
  | 'malformed'
  | 'tooLarge'
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
 * Whether a failure says that the endpoint answers nothing at present. What it refuses, garbles or makes too large
 * concerns one question; the others may well be answered.
 */
export function isHopeless({ kind }: UpstreamError): boolean {
  return kind === 'timeout' || kind === 'unreachable' || kind === 'tls' || kind === 'unauthorized'
}

/** Any failure of a request as an `UpstreamError`; `signal` tells a caller who left from one who ran out of time. */
export function asUpstreamError(error: unknown, url: string, signal: AbortSignal): UpstreamError {
  if (error instanceof UpstreamError) return error
  if (signal.aborted) {
    return signal.reason instanceof UpstreamError
      ? signal.reason
      : new UpstreamError('aborted', 'nobody waits for the answer any more', error)
  }
  const host = new URL(url).host
  const code = errorCode(error)
  switch (code) {
    case 'ECONNREFUSED':
      return new UpstreamError(
        'unreachable',
        `nothing listens at ${host}; check the URL and that Prometheus runs`,
        error,
      )
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UpstreamError('unreachable', `the name in ${host} does not resolve; check the URL and DNS`, error)
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return new UpstreamError('unreachable', `no way to ${host}; check the network, VPN and firewalls`, error)
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return new UpstreamError(
        'unreachable',
        `${host} closed the connection; it may be restarting or overloaded`,
        error,
      )
    default:
      break
  }
  if (isTlsCode(code))
    return new UpstreamError(
      'tls',
      `TLS with ${host} failed (${code}); check caFile, the host name and whether it speaks https`,
      error,
    )
  if (code.startsWith('HPE_') || code === 'ERR_INVALID_HTTP_RESPONSE')
    return new UpstreamError('malformed', `${host} does not answer in HTTP; check scheme and port`, error)
  return new UpstreamError('unreachable', `asking ${host} failed${code === '' ? '' : ` (${code})`}`, error)
}

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { code, errors, cause } = error as { code?: unknown; errors?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  // Node tries IPv6 and IPv4 and puts both failures into one.
  if (Array.isArray(errors) && errors.length > 0) return errorCode(errors[0])
  return cause === undefined ? '' : errorCode(cause)
}

function isTlsCode(code: string): boolean {
  return /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$|HOSTNAME_MISMATCH)/.test(code)
}
