import { createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { freePort } from '../../../scripts/free-ports.mjs'
import type { Pair } from '../support/certificates.ts'

/** Answers in place of the Prometheus behind the proxy; `pass` lets it answer after all. */
export type HttpFault = (request: IncomingMessage, response: ServerResponse, pass: () => void) => void

/** What goes wrong: the answers, the port nobody listens at, the certificate that is shown, the name. */
export type Fault =
  | { readonly on: 'answers'; readonly how: HttpFault }
  | { readonly on: 'port' }
  | { readonly on: 'certificate'; readonly shown: Pair }
  | { readonly on: 'name'; readonly resolve: (does: boolean) => void }

export interface FaultProxy {
  readonly port: number
  begin(fault: Fault): Promise<void>
  end(): Promise<void>
  close(): Promise<void>
}

/** A loopback proxy before `upstream`, over TLS when it is given a certificate. Without a fault it only hands on. */
export async function startFaultProxy(upstream: string, certificate: Pair | null): Promise<FaultProxy> {
  let fault: Fault | null = null
  /** Requests that a fault holds: whoever unfreezes a process gets the answers it owed. */
  const held = new Set<() => void>()
  const handle = (incoming: IncomingMessage, response: ServerResponse) => {
    response.on('error', () => undefined)
    const pass = () => handOn(upstream, incoming, response)
    if (fault?.on !== 'answers') {
      pass()
      return
    }
    const release = () => {
      if (!response.headersSent && !response.destroyed) pass()
      else if (!response.writableEnded) response.destroy()
    }
    held.add(release)
    response.on('close', () => held.delete(release))
    fault.how(incoming, response, pass)
  }
  const server = certificate === null ? createHttpServer(handle) : createHttpsServer(certificate, handle)
  const port = await freePort()
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        // It listens again after each of many faults.
        server.off('error', reject)
        resolve()
      })
    })
  const silence = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen()

  return {
    port,
    async begin(next) {
      fault = next
      if (next.on === 'port') await silence()
      if (next.on === 'name') {
        next.resolve(false)
        server.closeAllConnections()
      }
      if (next.on === 'certificate' && 'setSecureContext' in server) {
        server.setSecureContext(next.shown)
        server.closeAllConnections()
      }
    },
    async end() {
      const over = fault
      fault = null
      if (over?.on === 'port') await listen()
      if (over?.on === 'name') over.resolve(true)
      if (over?.on === 'certificate' && certificate !== null && 'setSecureContext' in server)
        server.setSecureContext(certificate)
      for (const release of held) release()
    },
    close: silence,
  }
}

function handOn(upstream: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method = 'GET', url = '/', headers } = incoming
  const onward = request(`${upstream}${url}`, { method, headers: { ...headers, host: new URL(upstream).host } })
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  response.on('close', () => onward.destroy())
  incoming.pipe(onward)
}
