package main

// seriesOf lists everything the pods of a cluster export.
func seriesOf(c *cluster, s size) []series {
	var out []series
	next := nameOf((c.index + 1) % s.clusters)
	through := &workload{index: s.workloads, namespace: "ingress-nginx", name: "controller", kind: "deployment"}
	incoming := map[*workload][]*call{}
	var arriving []*call
	for _, one := range c.fromBefore {
		incoming[one.to] = append(incoming[one.to], one)
		if one.way == ingress {
			arriving = append(arriving, one)
		}
	}
	for _, w := range c.workloads {
		for pod := 0; pod < s.pods; pod++ {
			p := pageOf(w, pod, &out)
			p.incoming(w, pod, s, incoming[w], through)
			p.outgoing(w, s, c, next)
		}
	}
	if len(arriving) > 0 {
		for pod := 0; pod < s.pods; pod++ {
			pageOf(through, pod, &out).passing(through, pod, arriving, s)
		}
	}
	return out
}

func pageOf(w *workload, pod int, out *[]series) page {
	return page{base: scraped(w, pod), lateMs: int64((w.index*997 + pod*3_331) % 9_500), out: out}
}

func (p page) incoming(w *workload, pod int, s size, crossing []*call, through *workload) {
	address := podAddress(w, pod)
	from := func(client string, rate, failing float64) {
		target := inboundTarget(p.base, address, "8080", client)
		p.responses(policy(target, "default"), rate/float64(s.pods), failing, w.mean)
		p.connections(target, "src", rate/float64(s.pods))
	}
	for _, one := range w.callers {
		from(identity(one.from), one.rate, w.failing)
	}
	if len(w.callers) == 0 && len(crossing) == 0 {
		from("", w.rate, w.failing)
	}
	// All that crosses comes with the identity of what it came through.
	rates := map[way]float64{}
	for _, one := range crossing {
		rates[one.way] += one.rate
	}
	if rates[mirrored] > 0 {
		from("linkerd-gateway.linkerd-multicluster."+trustDomain, rates[mirrored], w.failing)
	}
	if rates[ingress] > 0 {
		from(identity(through), rates[ingress], w.failing)
	}
	p.own(address)
}

// own is that the pod was scraped, and the proxy's admin port: scrapes and probes, which are nobody's traffic.
func (p page) own(address string) {
	p.add("up", p.base, nil, 1, 1)
	quick := latency{before: 1, after: 1}
	p.responses(policy(inboundTarget(p.base, "0.0.0.0", "4191", ""), "probe"), 0.2, 0, quick)
	prometheus := "prometheus.linkerd-viz." + trustDomain
	p.responses(policy(inboundTarget(p.base, "0.0.0.0", "4191", prometheus), "default"), 0.1, 0, quick)
}

func (p page) outgoing(w *workload, s size, c *cluster, next string) {
	pods := float64(s.pods)
	abroad := 0.0
	var slowest latency
	for _, one := range w.calls {
		switch one.way {
		case inside:
			for pod := 0; pod < s.pods; pod++ {
				target := outboundTarget(p.base, one.to, pod, true)
				p.responses(target, one.rate/pods/pods, one.failing, one.mean)
				p.connections(target, "dst", one.rate/pods/pods)
			}
			p.route(serviceRoute(p.base, one.to), one.rate/pods, one.failing, one.mean)
		case mirrored:
			target := mirrorTarget(p.base, one.to, next)
			p.responses(target, one.rate/pods, one.failing, one.mean)
			p.connections(target, "dst", one.rate/pods)
		case ingress:
			abroad += one.rate
			slowest = one.mean
			p.route(egressRoute(p.base, hostOf(one.to, next)), one.rate/pods, one.failing, one.mean)
		}
	}
	if abroad > 0 {
		// All hosts behind one address are one series.
		p.responses(addressTarget(p.base, ingressAddress((c.index+1)%s.clusters)), abroad/pods, 0, slowest)
	}
}

func hostOf(w *workload, cluster string) string {
	return w.name + "." + w.namespace + "." + cluster + ".example.com"
}

// passing is the ingress: called from abroad, and calling the pods behind it directly.
func (p page) passing(through *workload, pod int, arriving []*call, s size) {
	pods := float64(s.pods)
	target := inboundTarget(p.base, podAddress(through, pod), "8080", "")
	total := 0.0
	behind := map[*workload]float64{}
	means := map[*workload]latency{}
	var order []*workload
	for _, one := range arriving {
		total += one.rate
		if behind[one.to] == 0 {
			order = append(order, one.to)
		}
		behind[one.to] += one.rate
		means[one.to] = one.mean
	}
	mean := latency{}
	for _, to := range order {
		mean.before += means[to].before * behind[to] / total
		mean.after += means[to].after * behind[to] / total
	}
	p.responses(policy(target, "default"), total/pods, 0, mean)
	p.connections(target, "src", total/pods)
	for _, to := range order {
		for pod := 0; pod < s.pods; pod++ {
			target := outboundTarget(p.base, to, pod, false)
			p.responses(target, behind[to]/pods/pods, 0, means[to])
			p.connections(target, "dst", behind[to]/pods/pods)
		}
	}
	p.own(podAddress(through, pod))
}
