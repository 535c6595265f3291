import type { EndpointConfig, LimitsConfig } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import type { HttpEndpoint } from './prometheus/http-api.ts'
import { createTokenSource } from './prometheus/oauth2-token.ts'

/** One endpoint of the config as the client wants it. Secrets are read when they are needed, so that they can change. */
export function httpEndpoint(
  endpoint: EndpointConfig,
  { maxResponseBytes, maxSeries, queryTimeoutSeconds }: LimitsConfig,
  secrets: Secrets,
  nowSeconds: () => number,
): HttpEndpoint {
  const { url, headers, caFile, clientCertificate, proxy, timeoutSeconds, concurrency } = endpoint
  const tls = async () => ({
    ca: caFile === null ? null : await secrets.read(caFile),
    cert: clientCertificate === null ? null : await secrets.read(clientCertificate.certFile),
    key: clientCertificate === null ? null : await secrets.read(clientCertificate.keyFile),
  })
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
  switch (auth.kind) {
    case 'none':
      return { authorization: async () => null }
    case 'bearer':
      return { authorization: async () => `Bearer ${await secrets.read(auth.tokenFile)}` }
    case 'basic':
      return {
        authorization: async () => {
          const pair = `${auth.username}:${await secrets.read(auth.passwordFile)}`
          return `Basic ${Buffer.from(pair).toString('base64')}`
        },
      }
    case 'oauth2': {
      const clientSecret = () => secrets.read(auth.clientSecretFile)
      const source = createTokenSource({ ...auth, clientSecret, tls, proxy }, nowSeconds)
      return { authorization: source.authorization, onUnauthorized: source.forget, close: source.close }
    }
    default:
      return auth satisfies never
  }
}
