import { createServer, request, type Server, type ServerResponse } from 'node:http'
import type { Pod } from '../mesh/pod.ts'
import { podLabels } from './config.ts'

/**
 * For Prometheus servers that cannot dial the pods' loopback ports: `/targets/CLUSTER` lists what there is to scrape
 * (http_sd), `/pods/CLUSTER/POD/metrics` hands a pod's own page through, `/ready` says whether there is a past already.
 */
export async function startTargetsServer(options: {
  host: string
  port: number
  pods: (cluster: string) => readonly Pod[]
  /** Nothing is listed before: the past has to be in when the first scrape comes. */
  isReady: () => boolean
}): Promise<Server> {
  const server = createServer((incoming, reply) => {
    const [, kind, cluster = '', name, page] = (incoming.url ?? '/').split('/').map(decodeURIComponent)
    const pods = options.pods(cluster)
    if (kind === 'ready') return send(reply, options.isReady() ? 200 : 503, 'text/plain', '')
    if (kind === 'targets') {
      // By whatever name it was reached itself: it has one for each network.
      const listed = options.isReady() ? pods : []
      return send(reply, 200, 'application/json', targetsJson(cluster, listed, incoming.headers.host ?? ''))
    }
    const pod = kind === 'pods' && page === 'metrics' ? pods.find(({ facts }) => facts.name === name) : undefined
    if (pod === undefined) return send(reply, 404, 'text/plain', 'No such page.\n')
    passOn(pod, reply)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return server
}

function targetsJson(cluster: string, pods: readonly Pod[], host: string): string {
  const targets = pods.map((pod) => {
    const path = `/pods/${cluster}/${encodeURIComponent(pod.facts.name)}/metrics`
    return { targets: [host], labels: { __metrics_path__: path, ...podLabels(pod) } }
  })
  return JSON.stringify(targets)
}

/** A pod that has just gone is a failed scrape, as in a cluster. */
function passOn(pod: Pod, reply: ServerResponse): void {
  const asked = request({ host: '127.0.0.1', port: pod.adminPort, path: '/metrics' }, (answer) => {
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
