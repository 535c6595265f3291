import type { HopHandler } from '../transport/transport.ts'
import type { AppClient } from './app-client.ts'
import type { Behaviour, Call } from './behaviour.ts'
import type { WorkerQueue } from './worker-queue.ts'

/**
 * A back-end service: waits for a worker, works, calls others, answers. It finishes what it began even if the caller has
 * gone, as most servers do: that is why work piles up behind a slow service.
 */
export function createServiceApp(deps: {
  behaviour: () => Behaviour
  queue: () => WorkerQueue
  lock: WorkerQueue
  client: AppClient
  resolve: (host: string) => string | undefined
  choose: (choices: NonNullable<Behaviour['oneOf']>) => Call | undefined
}): HopHandler {
  async function handle(path: string): Promise<number> {
    const behaviour = deps.behaviour()
    const spread = (2 * Math.random() - 1) * behaviour.spreadMs
    await deps.queue().run(behaviour.workMs + spread)
    if (behaviour.lockMs !== undefined) await deps.lock.run(behaviour.lockMs)
    if (Math.random() < (behaviour.failureShare ?? 0)) return 503
    const chosen = behaviour.oneOf && deps.choose(behaviour.oneOf)
    for (const call of [...(behaviour.calls ?? []), ...(chosen ? [chosen] : [])]) {
      const address = deps.resolve(call.host)
      if (address === undefined) return 502
      const { status } = await deps.client.get({ host: call.host, address, path, timeoutMs: call.timeoutMs })
      if (status >= 500) return status
    }
    return 200
  }

  return (request, reply) => {
    void handle(request.path).then((status) => reply.answer(status, status < 500 ? 'ok\n' : 'failed\n'))
  }
}
