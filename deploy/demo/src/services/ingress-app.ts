import type { PodFacts } from '../mesh/network.ts'
import type { HopHandler } from '../transport/transport.ts'
import type { AppClient } from './app-client.ts'
import type { Behaviour } from './behaviour.ts'
import type { WorkerQueue } from './worker-queue.ts'

/**
 * An ingress controller: routes by Host and, like ingress-nginx by default, balances over pod IPs itself instead of calling
 * the Service, in turn. It gives up with its caller (nginx's 499).
 */
export function createIngressApp(deps: {
  behaviour: () => Behaviour
  queue: () => WorkerQueue
  lock: WorkerQueue
  client: AppClient
  backends: (host: string) => readonly PodFacts[] | undefined
  /** Counts what was answered, by host. */
  answered?: (host: string, status: number) => void
}): HopHandler {
  const turns = new Map<string, number>()
  return (request, reply) => {
    const host = request.headers.host ?? ''
    const { workMs, spreadMs, lockMs } = deps.behaviour()
    let abandoned = false
    let cancel = () => {}
    reply.onAbandoned(() => {
      abandoned = true
      cancel()
    })
    const work = async () => {
      await deps.queue().run(workMs + (2 * Math.random() - 1) * spreadMs)
      if (lockMs !== undefined) await deps.lock.run(lockMs)
      if (abandoned) return
      const pods = deps.backends(host)
      if (!pods) return reply.answer(404, 'no such host\n')
      const turn = turns.get(host) ?? 0
      turns.set(host, turn + 1)
      const pod = pods[turn % pods.length]
      if (!pod) return reply.answer(503, 'no endpoints\n')
      const upstream = { host, address: pod.address, path: request.path }
      const { status, body } = await deps.client.get(upstream, (close) => {
        cancel = close
      })
      deps.answered?.(host, status)
      reply.answer(status, body)
    }
    void work()
  }
}
