import type { Labels } from '../labels.ts'
import type { Cell, Registry } from '../registry.ts'
import {
  BACKEND_REQUESTS,
  BACKEND_RESPONSE_DURATION,
  BACKEND_RESPONSE_STATUSES,
  ROUTE_REQUEST_DURATION,
  ROUTE_REQUEST_STATUSES,
} from './families.ts'
import type { LinkerdTraits } from './traits.ts'

/** `REQUEST_TIMEOUT`: the route's own limit; `UNKNOWN`: the caller went away, for which Linkerd has no word of its own. */
export type RouteError = '' | 'REQUEST_TIMEOUT' | 'UNKNOWN'

/** The `outbound_http_route_*` families of one parent, route and backend. */
export interface RouteMetrics {
  requestStarted(): void
  /** `status` is undefined when no response came; the backend then reports the cancellation, the route its reason. */
  requestEnded(end: { hostname: string; status: number | undefined; error: RouteError; seconds: number }): void
}

export function createRouteMetrics(
  registry: Registry,
  traits: LinkerdTraits,
  labels: { parent: Labels; route: Labels; backend: Labels },
): RouteMetrics {
  const routed: Labels = [...labels.parent, ...labels.route]
  const backed: Labels = [...routed, ...labels.backend]
  const dispatched = traits.backendRequests ? registry.cell(BACKEND_REQUESTS, backed) : null
  const backendDuration = traits.routeStatuses ? registry.cell(BACKEND_RESPONSE_DURATION, backed) : null
  /** DNS names only, and only where the release tells them. */
  const hostLabel = (name: string): Labels =>
    traits.hostname === 'absent' ? [] : [['hostname', traits.hostname === 'filled' ? name : '']]
  const cells = new Map<string, Cell>()

  /** Rendering the labels of a known combination on every request would cost more than the request. */
  function cached(key: string, create: () => Cell): Cell {
    let cell = cells.get(key)
    if (!cell) {
      cell = create()
      cells.set(key, cell)
    }
    return cell
  }

  return {
    requestStarted() {
      if (dispatched !== null) registry.add(dispatched, 1)
    },
    requestEnded({ hostname, status, error, seconds }) {
      if (backendDuration === null) return
      const httpStatus = status === undefined ? '' : String(status)
      const backendError = error === '' ? '' : 'UNKNOWN'
      registry.add(
        cached(`route ${hostname} ${httpStatus} ${error}`, () =>
          registry.cell(ROUTE_REQUEST_STATUSES, [
            ...routed,
            ...hostLabel(hostname),
            ['http_status', httpStatus],
            ['error', error],
          ]),
        ),
        1,
      )
      registry.observe(
        cached(`duration ${hostname}`, () =>
          registry.cell(ROUTE_REQUEST_DURATION, [...routed, ...hostLabel(hostname)]),
        ),
        seconds,
      )
      registry.add(
        cached(`backend ${httpStatus} ${backendError}`, () =>
          registry.cell(BACKEND_RESPONSE_STATUSES, [...backed, ['http_status', httpStatus], ['error', backendError]]),
        ),
        1,
      )
      registry.observe(backendDuration, seconds)
    },
  }
}
