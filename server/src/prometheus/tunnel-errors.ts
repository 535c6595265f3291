import { subscribe } from 'node:diagnostics_channel'

/** Failures of requests for a way through a proxy. */
const BEFORE_TUNNEL = new WeakSet<object>()

// The failure itself is the same object as that of a handshake behind the proxy would be, so that it has to be noticed
// where it happens. undici's documentation promises this channel.
subscribe('undici:request:error', (told) => {
  const { request, error } = told as { readonly request: { readonly method: string }; readonly error: unknown }
  if (request.method === 'CONNECT' && isObject(error)) BEFORE_TUNNEL.add(error)
})

/** Whether a request failed before a proxy said that there is a way: then it is the proxy that something is wrong with. */
export function isBeforeTunnel(error: unknown): boolean {
  if (!isObject(error)) return false
  const { cause } = error as { cause?: unknown }
  // Where the proxy's certificate is made out to other names, undici makes another error of it.
  return BEFORE_TUNNEL.has(error) || (isObject(cause) && BEFORE_TUNNEL.has(cause))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
