import type { Labels } from '../labels.ts'
import type { Cell, Registry } from '../registry.ts'
import { REQUEST_TOTAL, RESPONSE_LATENCY_MS, RESPONSE_TOTAL } from './families.ts'
import type { LinkerdTraits } from './traits.ts'

/** The legacy trio (`request_total`, `response_latency_ms`, `response_total`) of one target label set. */
export interface EndpointMetrics {
  requestStarted(): void
  /** A stream that ended by itself. One that was cancelled records nothing, as in Linkerd. */
  responseEnded(status: number, latencyMs: number): void
}

const EMPTY_STATUSES: Labels = [
  ['grpc_status', ''],
  ['error', ''],
]

export function createEndpointMetrics(registry: Registry, traits: LinkerdTraits, target: Labels): EndpointMetrics {
  const requests = registry.cell(REQUEST_TOTAL, target)
  const byStatus = new Map<number, { responses: Cell; latency: Cell }>()

  function cellsFor(status: number): { responses: Cell; latency: Cell } {
    let cells = byStatus.get(status)
    if (!cells) {
      const withStatus = [...target, ['status_code', String(status)] as const]
      const classification = status >= 500 ? 'failure' : 'success'
      cells = {
        latency: registry.cell(RESPONSE_LATENCY_MS, withStatus),
        responses: registry.cell(RESPONSE_TOTAL, [
          ...withStatus,
          ['classification', classification],
          ...(traits.emptyStatuses ? EMPTY_STATUSES : []),
        ]),
      }
      byStatus.set(status, cells)
    }
    return cells
  }

  return {
    requestStarted: () => registry.add(requests, 1),
    responseEnded(status, latencyMs) {
      const cells = cellsFor(status)
      registry.add(cells.responses, 1)
      // The proxy's latency type is whole milliseconds, cut off.
      registry.observe(cells.latency, Math.floor(latencyMs))
    },
  }
}
