import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import { httpEndpoint } from '../../src/compose-endpoint.ts'
import { parseConfig } from '../../src/config/config.ts'
import { createSecrets } from '../../src/config/secrets.ts'
import { createHttpApi } from '../../src/prometheus/http-api.ts'
import { json, listening, vector } from './fake-prometheus.ts'

const never = new AbortController().signal

/** What a Prometheus answers whose one sample is 1. */
export const one: RequestListener = (_, response) => json(response, 200, vector([{ value: '1' }]))

/** Servers of a test, and what is made of an endpoint as a config file has it; all are ended by `close`. */
export function createEndpoints(directory: string) {
  const closing: (() => unknown)[] = []

  async function serving(server: Server): Promise<number> {
    closing.push(() => {
      server.close()
      server.closeAllConnections()
    })
    return listening(server)
  }

  return {
    /** Is called when the test is over. */
    later: (close: () => unknown) => void closing.push(close),
    serving,
    plain: (how: RequestListener) => serving(createHttpServer(how)),
    tls: (options: ServerOptions, how: RequestListener = one) => serving(createHttpsServer(options, how)),
    /** Asks the endpoint of these settings for the value of its one sample. Paths are relative to the directory. */
    asking(settings: string, nowSeconds = () => Date.now() / 1_000) {
      const text = `clusters: [{ name: east, endpoints: [{ ${settings} }] }]\n`
      const parsed = parseConfig(text, 'goldseam.yaml')
      if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors))
      const [endpoint] = parsed.config.clusters[0]?.endpoints ?? []
      if (endpoint === undefined) throw new Error('no endpoint')
      const secrets = createSecrets(directory, nowSeconds)
      const api = createHttpApi(httpEndpoint(endpoint, parsed.config.limits, secrets, nowSeconds))
      closing.push(() => api.close())
      const ask = (signal = never) => api.query('x', 1_000, signal).then(({ data: [sample] }) => sample?.value)
      return Object.assign(ask, { secrets })
    },
    close: () => Promise.all(closing.splice(0).map((close) => close())),
  }
}
