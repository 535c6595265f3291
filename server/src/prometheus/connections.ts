import { rootCertificates, type TLSSocket } from 'node:tls'
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici'
import { type Notice, noticeOn, noticingNames } from './peer-certificate.ts'

/** PEM texts. `ca` stands instead of the well-known authorities; `cert` and `key` are what Goldseam shows. */
export interface TlsMaterial {
  readonly ca: string | null
  readonly cert: string | null
  readonly key: string | null
}

export interface ConnectionOptions {
  /** Asked for with each request, because certificates are renewed. */
  readonly tls: () => Promise<TlsMaterial>
  /** URL of an HTTP proxy; null when there is none on the way. */
  readonly proxy: string | null
  /** Told of the certificate that the other end shows, whether it is good or not. */
  readonly notice?: Notice
}

export interface Connections {
  current(): Promise<Dispatcher>
  /** Drops the connections; requests that still run reject. */
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 5_000

/** Connections to one endpoint, kept alive between requests, and made anew when a certificate was renewed. */
export function createConnections({ tls, proxy, notice = () => undefined }: ConnectionOptions): Connections {
  let made: { text: string; dispatcher: Dispatcher } | null = null
  return {
    async current() {
      const material = await tls()
      const text = JSON.stringify(material)
      if (made?.text === text) return made.dispatcher
      // Requests that run over the old connections may end there.
      void made?.dispatcher.close()
      made = { text, dispatcher: dispatcherWith(material, proxy, notice) }
      return made.dispatcher
    },
    close: async () => {
      await made?.dispatcher.destroy()
    },
  }
}

function dispatcherWith(material: TlsMaterial, proxy: string | null, notice: Notice): Dispatcher {
  const given = Object.fromEntries(Object.entries(material).filter(([, text]) => text !== null))
  const connect = { timeout: CONNECT_TIMEOUT_MS, ...given }
  // Time limits are the decorators' business: two clocks for one thing would race.
  const limits = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000 }
  return proxy === null
    ? new Agent({ ...limits, connect: noticing(buildConnector(connect), notice) })
    : // Plain http is handed to the proxy as such: many proxies allow tunnels to port 443 only.
      new ProxyAgent({
        ...limits,
        uri: proxy,
        proxyTunnel: false,
        // Of tunnels only: nobody who waits for the answer behind one knows that there is none yet.
        clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: CONNECT_TIMEOUT_MS }),
        proxyTls: { timeout: CONNECT_TIMEOUT_MS, ...trustedBeside(material) },
        requestTls: { ...connect, checkServerIdentity: noticingNames(notice) },
      })
}

/** A proxy may be the company's own or one that everybody trusts, whoever signed the endpoint's certificate. */
function trustedBeside({ ca }: TlsMaterial): { ca?: string[] } {
  return ca === null ? {} : { ca: [...rootCertificates, ca] }
}

function noticing(connector: buildConnector.connector, notice: Notice): buildConnector.connector {
  return (options, callback) => {
    const socket: unknown = connector(options, callback)
    if (options.protocol === 'https:') noticeOn(socket as TLSSocket, notice)
    return socket
  }
}
