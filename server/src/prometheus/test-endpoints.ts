import type { Listed } from '../domain/listed.ts'
import type { EndpointStatus, PrometheusApi, Sample, Told } from './api.ts'
import { UpstreamError } from './upstream-error.ts'
import type { GuardedPrometheus } from './with-breaker.ts'

/** What came of asking one endpoint once, on purpose. */
export interface EndpointTest {
  /** How it fares after the test. */
  readonly status: EndpointStatus
  readonly seconds: number
  /** Whether its breaker was open: nobody else would have asked it. */
  readonly wasLeftAlone: boolean
  readonly outcome: Told<Listed<Sample>> | { readonly error: UpstreamError }
}

/** Asks every endpoint one instant query, each within its own time limit. Rejects when the signal aborts. */
export type TestEndpoints = (promql: string, signal: AbortSignal) => Promise<readonly EndpointTest[]>

interface Replica {
  /** As it is asked usually. */
  readonly api: PrometheusApi
  /** Without line and breaker: a test neither waits for others nor is refused. */
  readonly measured: PrometheusApi
  readonly guarded: GuardedPrometheus
}

export function testEndpoints(replicas: readonly Replica[], nowSeconds: () => number): TestEndpoints {
  async function one({ api, measured, guarded }: Replica, promql: string, signal: AbortSignal): Promise<EndpointTest> {
    const started = performance.now()
    const wasLeftAlone = statusOf(guarded).breaker.state !== 'closed'
    const outcome = await measured.query(promql, nowSeconds(), signal, 'test').then(
      (told) => {
        guarded.answered()
        return told
      },
      (error: unknown) => {
        if (signal.aborted || !(error instanceof UpstreamError)) throw error
        return { error }
      },
    )
    return { status: statusOf(api), seconds: (performance.now() - started) / 1_000, wasLeftAlone, outcome }
  }
  return (promql, signal) => Promise.all(replicas.map((replica) => one(replica, promql, signal)))
}

/** Of an API with one endpoint. */
function statusOf(api: PrometheusApi): EndpointStatus {
  const [status] = api.status()
  if (status === undefined) throw new Error('an endpoint has a status')
  return status
}
