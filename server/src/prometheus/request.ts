import { request as ask } from 'undici'
import { abortable } from './abortable.ts'

type Options = Exclude<Parameters<typeof ask>[1], undefined> & { readonly signal: AbortSignal }
type Response = Awaited<ReturnType<typeof ask>>

/**
 * Asks, and leaves when the signal aborts. undici hears of that only once there is a connection, which a proxy that
 * hangs or a TLS handshake that does not go on may keep it waiting for.
 */
export function request(url: string, options: Options): Promise<Response> {
  const { signal } = options
  const response = ask(url, options)
  const dropLate = ({ body }: Response) => {
    if (signal.aborted) body.on('error', () => undefined).destroy()
  }
  response.then(dropLate, () => undefined)
  return abortable(response, signal)
}
