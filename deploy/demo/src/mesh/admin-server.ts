import type { Listener, Transport } from '../transport/transport.ts'
import type { PodMeter, RequestMeter } from './meter.ts'
import type { Registry } from './registry.ts'

/** Where metrics are scraped and readiness is asked for. A mesh may measure that, too. */
export function startAdminServer(
  transport: Transport,
  page: { readonly registry: Registry; readonly path: string } | null,
  admin?: PodMeter['admin'],
): Promise<Listener> {
  return transport.listen((request, reply) => {
    const startedAtMs = transport.nowMs()
    const measured = (meter: RequestMeter | undefined, body: () => string) => {
      meter?.began()
      reply.answer(200, body())
      const tookMs = transport.nowMs() - startedAtMs
      meter?.ended({ how: 'answered', status: 200, firstByteMs: tookMs, wholeMs: tookMs })
    }
    if (request.path === page?.path) measured(admin?.scrapes, () => page.registry.page())
    else if (request.path === '/ready') measured(admin?.probes, () => 'ready\n')
    else reply.answer(404, 'not found\n')
  })
}
