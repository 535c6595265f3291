/**
 * The reference expositions of Linkerd 2.17, one line per label set, in Linkerd's own order. `*` stands for what differs in
 * every cluster (addresses, generated names); a histogram is written once, as its `_count`.
 */

const DST =
  'dst_control_plane_ns="linkerd",dst_deployment="cart",dst_namespace="shop",dst_pod="*",dst_pod_template_hash="*"'
const CART_ID = 'server_id="cart.shop.serviceaccount.identity.linkerd.cluster.local"'
const CART_TARGET = 'target_addr="*:8080",target_ip="*",target_port="8080"'
const CART = `direction="outbound",authority="cart.shop.svc.cluster.local:8080",${CART_TARGET},tls="true",${CART_ID},${DST},dst_service="cart",dst_serviceaccount="cart",dst_zone="east-a",dst_zone_locality="local"`
const OK = 'status_code="200"'
const SUCCESS = `${OK},classification="success",grpc_status="",error=""`
const FAILURE = 'status_code="503",classification="failure",grpc_status="",error=""'
const SERVICE_ROUTE =
  'parent_group="core",parent_kind="Service",parent_namespace="shop",parent_name="cart",parent_port="8080",parent_section_name="",route_group="",route_kind="default",route_namespace="",route_name="http"'
const SERVICE_BACKEND =
  'backend_group="core",backend_kind="Service",backend_namespace="shop",backend_name="cart",backend_port="8080",backend_section_name=""'
const IN_CLUSTER_HOST = 'hostname="cart.shop.svc.cluster.local"'

/** A: to a meshed destination in the same cluster. */
export const OUTBOUND_IN_CLUSTER = [
  `request_total{${CART}}`,
  `response_latency_ms_count{${CART},${OK}}`,
  `response_latency_ms_count{${CART},status_code="503"}`,
  `response_total{${CART},${SUCCESS}}`,
  `response_total{${CART},${FAILURE}}`,
  'tcp_open_connections{direction="outbound",peer="src",target_addr="*:8080",target_ip="*",target_port="8080",tls="no_identity",no_tls_reason="loopback"}',
  `tcp_open_connections{direction="outbound",peer="dst",${CART.replace('direction="outbound",', '')}}`,
  `outbound_http_route_request_statuses_total{${SERVICE_ROUTE},${IN_CLUSTER_HOST},http_status="200",error=""}`,
  `outbound_http_route_request_statuses_total{${SERVICE_ROUTE},${IN_CLUSTER_HOST},http_status="503",error=""}`,
  `outbound_http_route_request_duration_seconds_count{${SERVICE_ROUTE},${IN_CLUSTER_HOST}}`,
  `outbound_http_route_backend_requests_total{${SERVICE_ROUTE},${SERVICE_BACKEND}}`,
  `outbound_http_route_backend_response_statuses_total{${SERVICE_ROUTE},${SERVICE_BACKEND},http_status="200",error=""}`,
  `outbound_http_route_backend_response_statuses_total{${SERVICE_ROUTE},${SERVICE_BACKEND},http_status="503",error=""}`,
  `outbound_http_route_backend_response_duration_seconds_count{${SERVICE_ROUTE},${SERVICE_BACKEND}}`,
  `outbound_http_balancer_endpoints{endpoint_state="ready",${SERVICE_ROUTE.slice(0, SERVICE_ROUTE.indexOf(',route_group'))},${SERVICE_BACKEND}}`,
  `outbound_http_balancer_endpoints{endpoint_state="pending",${SERVICE_ROUTE.slice(0, SERVICE_ROUTE.indexOf(',route_group'))},${SERVICE_BACKEND}}`,
]

const INGRESS_TARGET = 'target_addr="203.0.113.20:80",target_ip="203.0.113.20",target_port="80"'
const INGRESS = `direction="outbound",${INGRESS_TARGET},tls="no_identity",no_tls_reason="not_provided_by_service_discovery"`
const EGRESS_ROUTE =
  'parent_group="",parent_kind="default",parent_namespace="",parent_name="egress-fallback",parent_port="",parent_section_name="",route_group="",route_kind="default",route_namespace="",route_name="egress-fallback"'
const UNKNOWN_BACKEND =
  'backend_group="",backend_kind="default",backend_namespace="",backend_name="unknown",backend_port="",backend_section_name=""'

/** B: to two hosts behind another cluster's ingress. One legacy series for both; only the route families tell them apart. */
export const OUTBOUND_TO_INGRESS = [
  `request_total{${INGRESS}}`,
  `response_latency_ms_count{${INGRESS},${OK}}`,
  `response_latency_ms_count{${INGRESS},status_code="503"}`,
  `response_total{${INGRESS},${SUCCESS}}`,
  `response_total{${INGRESS},${FAILURE}}`,
  `tcp_open_connections{direction="outbound",peer="src",${INGRESS_TARGET},tls="no_identity",no_tls_reason="loopback"}`,
  `tcp_open_connections{direction="outbound",peer="dst",${INGRESS.replace('direction="outbound",', '')}}`,
  ...['a.west.example.com', 'b.west.example.com'].map(
    (host) =>
      `outbound_http_route_request_statuses_total{${EGRESS_ROUTE},hostname="${host}",http_status="200",error=""}`,
  ),
  `outbound_http_route_request_statuses_total{${EGRESS_ROUTE},hostname="b.west.example.com",http_status="503",error=""}`,
  ...['a.west.example.com', 'b.west.example.com'].map(
    (host) => `outbound_http_route_request_duration_seconds_count{${EGRESS_ROUTE},hostname="${host}"}`,
  ),
  `outbound_http_route_backend_requests_total{${EGRESS_ROUTE},${UNKNOWN_BACKEND}}`,
  `outbound_http_route_backend_response_statuses_total{${EGRESS_ROUTE},${UNKNOWN_BACKEND},http_status="200",error=""}`,
  `outbound_http_route_backend_response_statuses_total{${EGRESS_ROUTE},${UNKNOWN_BACKEND},http_status="503",error=""}`,
  `outbound_http_route_backend_response_duration_seconds_count{${EGRESS_ROUTE},${UNKNOWN_BACKEND}}`,
]

const SERVER = 'srv_group="",srv_kind="default",srv_name="all-unauthenticated"'
const DEFAULT_ROUTE =
  'route_group="",route_kind="default",route_name="default",authz_group="",authz_kind="default",authz_name="all-unauthenticated"'
const PROBE_ROUTE =
  'route_group="",route_kind="default",route_name="probe",authz_group="",authz_kind="default",authz_name="probe"'
const FROM_WEB = 'tls="true",client_id="web.shop.serviceaccount.identity.linkerd.cluster.local"'
const FROM_PROMETHEUS = 'tls="true",client_id="prometheus.linkerd-viz.serviceaccount.identity.linkerd.cluster.local"'
const NO_TLS = 'tls="no_identity",no_tls_reason="no_tls_from_remote"'
const ADMIN_TARGET = 'target_addr="0.0.0.0:4191",target_ip="0.0.0.0",target_port="4191"'

const trio = (labels: string, ...statuses: string[]) => [
  `request_total{${labels}}`,
  ...statuses.flatMap((status) => [
    `response_latency_ms_count{${labels},${status.split(',')[0]}}`,
    `response_total{${labels},${status}}`,
  ]),
]

/** The admin port counts its own visitors: scrapes and probes. */
export const ADMIN_NOISE = [
  ...trio(`direction="inbound",${ADMIN_TARGET},${FROM_PROMETHEUS},${SERVER},${DEFAULT_ROUTE}`, SUCCESS),
  ...trio(`direction="inbound",${ADMIN_TARGET},${NO_TLS},${SERVER},${PROBE_ROUTE}`, SUCCESS),
]

/** C: at the destination, called by a meshed neighbour. Up to 2.17 `authority` follows `direction` and `srv_port` is not there. */
export const INBOUND_FROM_MESH = [
  ...trio(
    `direction="inbound",authority="cart.shop.svc.cluster.local:8080",${CART_TARGET},${FROM_WEB},${SERVER},${DEFAULT_ROUTE}`,
    SUCCESS,
    FAILURE,
  ),
  `tcp_open_connections{direction="inbound",peer="src",${CART_TARGET},${FROM_WEB},${SERVER}}`,
  'tcp_open_connections{direction="inbound",peer="dst",tls="no_identity",no_tls_reason="loopback"}',
]

/** C: at the ingress, called from another cluster. */
export const INBOUND_FROM_OUTSIDE = [
  ...trio(
    `direction="inbound",authority="a.west.example.com",target_addr="*:80",target_ip="*",target_port="80",${NO_TLS},${SERVER},${DEFAULT_ROUTE}`,
    SUCCESS,
  ),
  ...trio(
    `direction="inbound",authority="b.west.example.com",target_addr="*:80",target_ip="*",target_port="80",${NO_TLS},${SERVER},${DEFAULT_ROUTE}`,
    SUCCESS,
    FAILURE,
  ),
]

const POD_CART = `direction="outbound",${CART_TARGET},tls="true",${CART_ID},${DST},dst_serviceaccount="cart",dst_zone=""`

/** D: a meshed ingress that balances on pod IPs: no authority, no dst_service. */
export const OUTBOUND_OF_INGRESS = [
  ...trio(POD_CART, SUCCESS, FAILURE),
  `tcp_open_connections{direction="outbound",peer="dst",${POD_CART.replace('direction="outbound",', '')}}`,
]
