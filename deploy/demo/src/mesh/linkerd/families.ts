import type { Family } from '../family.ts'

const LATENCY_BOUNDS_MS = [
  1, 2, 3, 4, 5, 10, 20, 30, 40, 50, 100, 200, 300, 400, 500, 1000, 2000, 3000, 4000, 5000, 10000, 20000, 30000, 40000,
  50000,
]

const legacy = (name: string, kind: Family['kind'], help: string): Family => ({ name, kind, help, encoder: 'legacy' })

export const REQUEST_TOTAL = legacy('request_total', 'counter', 'Total count of HTTP requests.')
export const RESPONSE_LATENCY_MS: Family = {
  ...legacy(
    'response_latency_ms',
    'histogram',
    "Elapsed times between a request's headers being received and its response stream completing",
  ),
  bounds: LATENCY_BOUNDS_MS,
}
export const RESPONSE_TOTAL = legacy('response_total', 'counter', 'Total count of HTTP responses.')

export const TCP_OPEN_TOTAL = legacy('tcp_open_total', 'counter', 'Total count of opened connections')
export const TCP_OPEN_CONNECTIONS = legacy('tcp_open_connections', 'gauge', 'Number of currently-open connections')
export const TCP_READ_BYTES_TOTAL = legacy('tcp_read_bytes_total', 'counter', 'Total count of bytes read from peers')
export const TCP_WRITE_BYTES_TOTAL = legacy('tcp_write_bytes_total', 'counter', 'Total count of bytes written to peers')
export const TCP_CLOSE_TOTAL = legacy('tcp_close_total', 'counter', 'Total count of closed connections')

export const PROCESS_START_TIME_SECONDS = legacy(
  'process_start_time_seconds',
  'gauge',
  'Time that the process started (in seconds since the UNIX epoch)',
)

export const ROUTE_REQUEST_STATUSES: Family = {
  name: 'outbound_http_route_request_statuses',
  kind: 'counter',
  help: 'Completed request-response streams.',
  encoder: 'client',
}
export const ROUTE_REQUEST_DURATION: Family = {
  name: 'outbound_http_route_request_duration_seconds',
  kind: 'histogram',
  help: 'The time between request initialization and response completion.',
  encoder: 'client',
  unit: 'seconds',
  bounds: [0.05, 0.5, 1, 10],
}
export const BACKEND_REQUESTS: Family = {
  name: 'outbound_http_route_backend_requests',
  kind: 'counter',
  help: 'The total number of requests dispatched.',
  encoder: 'client',
}
export const BACKEND_RESPONSE_STATUSES: Family = {
  name: 'outbound_http_route_backend_response_statuses',
  kind: 'counter',
  help: 'Completed responses.',
  encoder: 'client',
}
export const BACKEND_RESPONSE_DURATION: Family = {
  name: 'outbound_http_route_backend_response_duration_seconds',
  kind: 'histogram',
  help: 'The time between request completion and response completion.',
  encoder: 'client',
  unit: 'seconds',
  bounds: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 10],
}
export const BALANCER_ENDPOINTS: Family = {
  name: 'outbound_http_balancer_endpoints',
  kind: 'gauge',
  help: 'The number of endpoints currently in a HTTP request balancer.',
  encoder: 'client',
}
export const PROXY_BUILD_INFO: Family = {
  name: 'proxy_build_info',
  kind: 'gauge',
  help: 'Proxy build info.',
  encoder: 'client',
}
