package main

import (
	"fmt"
	"strconv"

	"github.com/prometheus/prometheus/model/labels"
)

// Upper bounds of Linkerd's latency buckets, milliseconds.
var bounds = []float64{1, 2, 3, 4, 5, 10, 20, 30, 40, 50, 100, 200, 300, 400, 500, 1e3, 2e3, 3e3, 4e3, 5e3, 1e4, 2e4, 3e4, 4e4, 5e4}

// Upper bounds of a route's duration, seconds.
var routeBounds = []float64{0.05, 0.5, 1, 10}

const trustDomain = "serviceaccount.identity.linkerd.cluster.local"

type pairs []labels.Label

func (p pairs) with(more ...string) pairs {
	all := make(pairs, len(p), len(p)+len(more)/2)
	copy(all, p)
	for i := 0; i < len(more); i += 2 {
		all = append(all, labels.Label{Name: more[i], Value: more[i+1]})
	}
	return all
}

// As Prometheus 3 stores a bound: always with a point.
func le(bound float64) string {
	text := strconv.FormatFloat(bound, 'f', -1, 64)
	if bound == float64(int64(bound)) {
		text += ".0"
	}
	return text
}

func podName(w *workload, pod int) string {
	if w.kind == "statefulset" {
		return fmt.Sprintf("%s-%d", w.name, pod)
	}
	return fmt.Sprintf("%s-%s-%05d", w.name, hashOf(w), (w.index*31+pod*7)%99_991)
}

func hashOf(w *workload) string { return fmt.Sprintf("%09x", (w.index+1)*2_654_435) }

func podAddress(w *workload, pod int) string {
	n := w.index*16 + pod
	return fmt.Sprintf("10.%d.%d.%d", 40+n/62_500, (n/250)%250, n%250+1)
}

func identity(w *workload) string { return w.name + "." + w.namespace + "." + trustDomain }

// scraped is what Linkerd's scrape rules put on every series of a pod.
func scraped(w *workload, pod int) pairs {
	return pairs{}.with(
		"namespace", w.namespace, "workload_ns", w.namespace, "pod", podName(w, pod), w.kind, w.name,
		"control_plane_ns", "linkerd", "app", w.name, "job", "linkerd-proxy", "pod_template_hash", hashOf(w),
		"instance", podAddress(w, pod)+":4191",
	)
}

// inboundTarget is the pod's own port; an empty client is one without mTLS.
func inboundTarget(base pairs, address, port, client string) pairs {
	target := base.with("direction", "inbound", "target_addr", address+":"+port, "target_ip", address, "target_port", port)
	if client == "" {
		target = target.with("tls", "no_identity", "no_tls_reason", "no_tls_from_remote")
	} else {
		target = target.with("tls", "true", "client_id", client)
	}
	return target.with("srv_kind", "default", "srv_name", "all-unauthenticated", "srv_port", port)
}

func policy(target pairs, route string) pairs {
	authz := "all-unauthenticated"
	if route == "probe" {
		authz = route
	}
	return target.with("route_kind", "default", "route_name", route, "authz_kind", "default", "authz_name", authz)
}

// outboundTarget is one pod of a workload in the same cluster, found through its service unless called directly.
func outboundTarget(base pairs, to *workload, pod int, throughService bool) pairs {
	address := podAddress(to, pod)
	target := base.with(
		"direction", "outbound", "target_addr", address+":8080", "target_ip", address, "target_port", "8080",
		"tls", "true", "server_id", identity(to), "dst_control_plane_ns", "linkerd", "dst_"+to.kind, to.name,
		"dst_namespace", to.namespace, "dst_pod", podName(to, pod), "dst_pod_template_hash", hashOf(to),
		"dst_serviceaccount", to.name, "dst_zone", "a", "dst_zone_locality", "local",
	)
	if throughService {
		return target.with("authority", to.name+"."+to.namespace+".svc.cluster.local:8080", "dst_service", to.name)
	}
	return target
}

func mirrorTarget(base pairs, to *workload, cluster string) pairs {
	service := to.name + "-" + cluster
	return base.with(
		"direction", "outbound", "authority", service+"."+to.namespace+".svc.cluster.local:8080",
		"target_addr", "198.51.100.7:4143", "target_ip", "198.51.100.7", "target_port", "4143", "tls", "true",
		"server_id", "linkerd-gateway.linkerd-multicluster."+trustDomain, "dst_namespace", to.namespace,
		"dst_service", service, "dst_target_cluster", cluster, "dst_target_service", to.name,
		"dst_target_service_namespace", to.namespace, "dst_zone_locality", "unknown",
	)
}

func ingressAddress(index int) string { return fmt.Sprintf("203.0.113.%d", 20+index) }

func addressTarget(base pairs, address string) pairs {
	return base.with(
		"direction", "outbound", "target_addr", address+":80", "target_ip", address, "target_port", "80",
		"tls", "no_identity", "no_tls_reason", "not_provided_by_service_discovery",
	)
}

func serviceRoute(base pairs, to *workload) pairs {
	return base.with(
		"parent_group", "core", "parent_kind", "Service", "parent_namespace", to.namespace, "parent_name", to.name,
		"parent_port", "8080", "route_kind", "default", "route_name", "http",
	)
}

func egressRoute(base pairs, host string) pairs {
	return base.with(
		"parent_kind", "default", "parent_name", "egress-fallback", "route_kind", "default",
		"route_name", "egress-fallback", "hostname", host,
	)
}
