import { z } from 'zod'
import { duration, fileName, httpUrl, text } from './fields.ts'
import type { EndpointAuth } from './settings.ts'

export const baseUrl = httpUrl(
  'the URL of a Prometheus-compatible API',
  'http://prometheus.example.com:9090',
  'use basicAuth or bearerTokenFile',
).transform((value, context) => {
  if (!URL.canParse(value)) return value
  const url = new URL(value)
  if (url.search !== '' || url.hash !== '')
    context.addIssue('remove the query and fragment; the URL is where the API starts, e.g. http://host:9090/prefix')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
})

const proxyUrl = httpUrl(
  'the URL of an HTTP proxy',
  'http://proxy.example.com:3128',
  'a proxy that asks for them is not supported by this version yet',
)

const headers = z
  .record(
    z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'this is not an HTTP header name'),
    text('the header value, as text (quote numbers),').regex(
      /^[\t\x20-\x7e]*$/,
      'a header value must be printable ASCII',
    ),
    { error: 'a map of header names to values is expected here' },
  )
  .superRefine((given, context) => {
    const names = Object.keys(given)
    for (const [index, name] of names.entries()) {
      const first = names.findIndex((other) => other.toLowerCase() === name.toLowerCase())
      const message = first < index ? `the same header as ${names[first]} above; keep one of them` : refusal(name)
      if (message !== null) context.addIssue({ code: 'custom', path: [name], message })
    }
  })

/** Why a header cannot be set; null where it can. */
function refusal(name: string): string | null {
  if (/^authorization$/i.test(name))
    return 'use bearerTokenFile or basicAuth, so that the secret stays out of this file'
  if (/^(proxy-authorization|host|content-.*|transfer-encoding|connection|accept|accept-encoding)$/i.test(name))
    return 'Goldseam sets this header itself; remove it'
  // The HTTP client refuses to send them, so that every query would fail.
  return /^(expect|upgrade|keep-alive)$/i.test(name)
    ? 'this header speaks of the connection, which Goldseam sees to itself; remove it'
    : null
}

/** What comes after a colon would be read as the password. */
const userName = text('a user name').regex(/^[^:]*$/, 'a user name cannot hold a colon')

export const BasicAuthFile = z.strictObject(
  { username: userName, passwordFile: fileName },
  { error: '{ username: ..., passwordFile: ... } is expected here' },
)

/** What the form of a token request holds already, and what of the config says it. */
const TOLD_OTHERWISE: Readonly<Record<string, string>> = {
  grant_type: 'it is always client_credentials; remove it',
  client_id: 'use clientId',
  client_secret: 'use clientSecretFile, so that the secret stays out of this file',
  scope: 'use scopes',
}

const tokenParams = z
  .record(z.string().min(1, 'the name of a parameter is expected here'), text('a text (quote numbers)'), {
    error:
      'a map of parameters of the token request is expected here, such as { audience: https://metrics.example.com }',
  })
  .superRefine((given, context) => {
    for (const name of Object.keys(given)) {
      const message = TOLD_OTHERWISE[name]
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message })
    }
  })

export const OAuth2File = z.strictObject(
  {
    tokenUrl: httpUrl(
      'the URL that hands out tokens',
      'https://login.example.com/oauth2/token',
      'use clientId and clientSecretFile',
    ),
    clientId: text('the id of a client').min(1, 'the id of a client is expected here'),
    clientSecretFile: fileName,
    scopes: z.array(text('a scope').min(1), { error: 'a list of scopes is expected here' }).default([]),
    params: tokenParams.default({}),
  },
  { error: 'oauth2: { tokenUrl: https://..., clientId: ..., clientSecretFile: ... } is expected here' },
)

const autoOr = (leastSeconds: number, mostSeconds: number, example: string) =>
  z
    .union([z.literal('auto').transform(() => null), duration(leastSeconds, mostSeconds)], {
      error: `use auto, or a duration such as ${example}`,
    })
    .prefault('auto')

/** Everything about an endpoint but where it is. */
export const endpointKeys = {
  bearerTokenFile: fileName.optional(),
  basicAuth: BasicAuthFile.optional(),
  oauth2: OAuth2File.optional(),
  headers: headers.default({}),
  caFile: fileName.optional(),
  certFile: fileName.optional(),
  keyFile: fileName.optional(),
  proxy: proxyUrl.optional(),
  timeout: duration(0.1, 600).optional(),
  concurrency: z
    .int({ error: 'a whole number is expected here' })
    .min(1, 'use 1 to 64')
    .max(64, 'use 1 to 64')
    .default(4),
  rateWindow: autoOr(1, 86_400, '2m'),
  scrapeInterval: autoOr(0.1, 3_600, '30s'),
}

const EndpointShape = z.strictObject(
  { url: baseUrl, ...endpointKeys },
  { error: 'an endpoint such as { url: http://prometheus.example.com:9090 } is expected here' },
)

/** One endpoint as people write it, in; what `Config` holds of it, out. */
export const EndpointFile = EndpointShape.transform(endpointOf)

/** What a time that was not written stands for is known only where the limits are. */
export type EndpointWithoutLimits = ReturnType<typeof endpointOf>

export function endpointOf({
  bearerTokenFile,
  basicAuth,
  oauth2,
  caFile,
  certFile,
  keyFile,
  proxy,
  timeout,
  rateWindow,
  scrapeInterval,
  ...same
}: z.output<typeof EndpointShape>) {
  const auth: EndpointAuth =
    bearerTokenFile !== undefined
      ? { kind: 'bearer', tokenFile: bearerTokenFile }
      : basicAuth !== undefined
        ? { kind: 'basic', ...basicAuth }
        : oauth2 !== undefined
          ? { kind: 'oauth2', ...oauth2 }
          : { kind: 'none' }
  return {
    ...same,
    auth,
    caFile: caFile ?? null,
    clientCertificate: certFile === undefined || keyFile === undefined ? null : { certFile, keyFile },
    proxy: proxy ?? null,
    timeoutSeconds: timeout ?? null,
    rateWindowSeconds: rateWindow,
    scrapeIntervalSeconds: scrapeInterval,
  }
}
