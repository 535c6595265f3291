import { createServer, request, type Server, type ServerResponse } from 'node:http'
import type { Exporter } from '../mesh/exporter.ts'

/**
 * For Prometheus servers that cannot dial the pods' loopback ports: `/targets/CLUSTER` lists what there is to scrape
 * (http_sd), `/pods/CLUSTER/POD/metrics` hands a page through, `/ready` says whether there is a past already.
 */
export async function startTargetsServer(options: {
  host: string
  port: number
  exporters: (cluster: string) => readonly Exporter[]
  /** Nothing is listed before: the past has to be in when the first scrape comes. */
  isReady: () => boolean
}): Promise<Server> {
  const server = createServer((incoming, reply) => {
    const [, kind, cluster = '', name, page] = (incoming.url ?? '/').split('/').map(decodeURIComponent)
    const exporters = options.exporters(cluster)
    if (kind === 'ready') return send(reply, options.isReady() ? 200 : 503, 'text/plain', '')
    if (kind === 'targets') {
      // By whatever name it was reached itself: it has one for each network.
      const listed = options.isReady() ? exporters : []
      return send(reply, 200, 'application/json', targetsJson(cluster, listed, incoming.headers.host ?? ''))
    }
    const found = kind === 'pods' && page === 'metrics' ? exporters.find((one) => one.name === name) : undefined
    if (found === undefined) return send(reply, 404, 'text/plain', 'No such page.\n')
    passOn(found, reply)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return server
}

function targetsJson(cluster: string, exporters: readonly Exporter[], host: string): string {
  const targets = exporters.map(({ name, job, labels }) => {
    const path = `/pods/${cluster}/${encodeURIComponent(name)}/metrics`
    // A mesh may have several jobs; the server that scrapes has one, whatever its name.
    return { targets: [host], labels: { __metrics_path__: path, job, ...labels } }
  })
  return JSON.stringify(targets)
}

/** A pod that has just gone is a failed scrape, as in a cluster. */
function passOn(exporter: Exporter, reply: ServerResponse): void {
  const asked = request({ host: '127.0.0.1', port: exporter.port, path: exporter.path }, (answer) => {
    reply.writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] ?? 'text/plain' })
    answer.pipe(reply)
  })
  asked.on('error', () => {
    if (reply.headersSent) reply.destroy()
    else send(reply, 502, 'text/plain', 'The pod does not answer.\n')
  })
  reply.on('close', () => asked.destroy())
  asked.end()
}

function send(reply: ServerResponse, status: number, contentType: string, body: string): void {
  reply.writeHead(status, { 'content-type': contentType })
  reply.end(body)
}
