import { tlsOf } from './compose-tls.ts'
import type { EndpointConfig, LimitsConfig } from './config/config.ts'
import { token } from './config/secret-checks.ts'
import type { Secrets } from './config/secrets.ts'
import type { HttpEndpoint } from './prometheus/http-api.ts'
import { createTokenSource } from './prometheus/oauth2-token.ts'
import { UpstreamError, type UpstreamErrorKind } from './prometheus/upstream-error.ts'

/** One endpoint of the config as the client wants it. Secrets are read when they are needed, so that they can change. */
export function httpEndpoint(
  endpoint: EndpointConfig,
  { maxResponseBytes, maxSeries, queryTimeoutSeconds }: LimitsConfig,
  secrets: Secrets,
  nowSeconds: () => number,
): HttpEndpoint {
  const { url, headers, proxy, timeoutSeconds, concurrency } = endpoint
  const certificates = tlsOf(endpoint, secrets)
  const tls = () => spoken('tls', certificates())
  const limits = { timeoutSeconds, maxResponseBytes, maxSeries, concurrency }
  const own = timeoutSeconds === queryTimeoutSeconds ? {} : { timeoutSetting: 'its timeout' }
  return { url, ...own, headers, tls, proxy, ...limits, ...signingIn(endpoint, tls, secrets, nowSeconds) }
}

function signingIn(
  { auth, proxy }: EndpointConfig,
  tls: NonNullable<HttpEndpoint['tls']>,
  secrets: Secrets,
  nowSeconds: () => number,
): Pick<HttpEndpoint, 'authorization' | 'onUnauthorized' | 'close'> {
  const read: Secrets['read'] = (file, check) => spoken('unauthorized', secrets.read(file, check))
  switch (auth.kind) {
    case 'none':
      return { authorization: async () => null }
    case 'bearer':
      return {
        authorization: async () => `Bearer ${await read(auth.tokenFile, token)}`,
        onUnauthorized: () => secrets.lookAgain(auth.tokenFile),
      }
    case 'basic':
      return {
        authorization: async () => {
          const pair = `${auth.username}:${await read(auth.passwordFile)}`
          return `Basic ${Buffer.from(pair).toString('base64')}`
        },
        onUnauthorized: () => secrets.lookAgain(auth.passwordFile),
      }
    case 'oauth2': {
      const clientSecret = () => read(auth.clientSecretFile)
      const onRefused = () => secrets.lookAgain(auth.clientSecretFile)
      const source = createTokenSource({ ...auth, clientSecret, onRefused, tls, proxy }, nowSeconds)
      return { authorization: source.authorization, onUnauthorized: source.forget, close: source.close }
    }
    default:
      return auth satisfies never
  }
}

/** What is wrong with a file is for the person who runs Goldseam, as the reason why nothing is asked. */
async function spoken<T>(kind: UpstreamErrorKind, reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw new UpstreamError(kind, (error as Error).message, error)
  }
}
