package main

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Size of the world, and the cluster that is written.
type size struct {
	clusters, workloads, pods int
	seed                      uint64
}

// How many of a cluster's workloads stand how far from the entry: a request passes at most five of them.
var layerShares = []float64{0.10, 0.20, 0.30, 0.25, 0.15}

const (
	perNamespace   = 20
	callsEach      = 3
	crossingShare  = 0.04
	slowdown       = 30
	linkMs         = 0.5
	widthOfLatency = 0.8
)

// How long requests take, before the onset and after it.
type latency struct{ before, after float64 }

type workload struct {
	index           int
	namespace, name string
	kind            string
	layer           int
	ownMs           float64
	failing         float64
	rate            float64
	mean            latency
	calls           []*call
	callers         []*call
}

type way int

const (
	inside way = iota
	mirrored
	ingress
)

// One workload's calls to another: in its own cluster, or in the next one over a mirror or over its ingress.
type call struct {
	from, to   *workload
	way        way
	perRequest float64
	rate       float64
	failing    float64
	mean       latency
}

type cluster struct {
	name      string
	index     int
	workloads []*workload
	// Calls that come in from the cluster before, by the way they take.
	fromBefore []*call
}

func nameOf(index int) string { return fmt.Sprintf("c%02d", index+1) }

// drawCluster draws who calls whom in one cluster; calls that cross are drawn, but not yet joined to the next one.
func drawCluster(s size, index int) *cluster {
	draw := rand.New(rand.NewPCG(s.seed, uint64(index)))
	c := &cluster{name: nameOf(index), index: index}
	var layers [][]*workload
	from := 0
	total := 0.0
	for layer, share := range layerShares {
		total += share
		to := int(math.Round(total * float64(s.workloads)))
		var members []*workload
		for i := from; i < to; i++ {
			kind := "deployment"
			if i%10 == 9 {
				kind = "statefulset"
			}
			w := &workload{
				index:     i,
				namespace: fmt.Sprintf("team-%02d", i%((s.workloads+perNamespace-1)/perNamespace)),
				name:      fmt.Sprintf("svc-%04d", i),
				kind:      kind,
				layer:     layer,
				ownMs:     math.Exp(draw.Float64()*4 - 0.5),
			}
			if draw.Float64() < 0.2 {
				w.failing = 0.01 * draw.Float64()
			}
			if layer == 0 {
				w.rate = math.Exp(draw.Float64()*4 + 2)
			}
			members = append(members, w)
		}
		layers = append(layers, members)
		c.workloads = append(c.workloads, members...)
		from = to
	}
	for layer := 0; layer+1 < len(layers); layer++ {
		for _, w := range layers[layer] {
			next := layers[layer+1]
			chosen := map[int]bool{}
			for len(chosen) < min(callsEach, len(next)) {
				chosen[draw.IntN(len(next))] = true
			}
			for i := range next {
				if chosen[i] {
					w.calls = append(w.calls, &call{from: w, to: next[i], perRequest: 0.1 + 0.5*draw.Float64()})
				}
			}
			// Last, so that the rest of the graph is the same however many clusters there are.
			if s.clusters > 1 && draw.Float64() < 2*crossingShare {
				crossing := &call{from: w, way: mirrored, perRequest: 0.2}
				if draw.Float64() < 0.5 {
					crossing.way = ingress
				}
				w.calls = append(w.calls, crossing)
			}
		}
	}
	return c
}

// drawWorld draws one cluster and what its neighbours have to do with it.
func drawWorld(s size, index int) *cluster {
	mine := drawCluster(s, index)
	next := drawCluster(s, (index+1)%s.clusters)
	before := drawCluster(s, (index+s.clusters-1)%s.clusters)
	settle(next, nil, s)
	join(mine, next)
	join(before, mine)
	settle(before, nil, s)
	for _, w := range before.workloads {
		for _, one := range w.calls {
			if one.way != inside {
				mine.fromBefore = append(mine.fromBefore, one)
			}
		}
	}
	settle(mine, mine.fromBefore, s)
	return mine
}

// join leads the calls that cross to leaves of the next cluster.
func join(from, to *cluster) {
	var leaves []*workload
	for _, w := range to.workloads {
		if w.layer == len(layerShares)-1 {
			leaves = append(leaves, w)
		}
	}
	n := 0
	for _, w := range from.workloads {
		for _, one := range w.calls {
			if one.way != inside {
				one.to = leaves[(n*7)%len(leaves)]
				n++
			}
		}
	}
}

// settle works out rates from the entries down, and latencies and failures from the leaves up.
func settle(c *cluster, coming []*call, s size) {
	for _, one := range coming {
		one.to.rate += one.rate
	}
	for _, w := range c.workloads {
		w.callers = nil
	}
	for _, w := range c.workloads {
		for _, one := range w.calls {
			one.rate = w.rate * one.perRequest
			if one.way == inside {
				one.to.rate += one.rate
				one.to.callers = append(one.to.callers, one)
			}
		}
	}
	for i := len(c.workloads) - 1; i >= 0; i-- {
		w := c.workloads[i]
		w.mean = latency{before: w.ownMs, after: w.ownMs}
		if isCulprit(c, w, s) {
			w.mean.after = w.ownMs * slowdown
		}
		for _, one := range w.calls {
			if one.to == nil {
				continue
			}
			one.mean = latency{before: one.to.mean.before + linkMs, after: one.to.mean.after + linkMs}
			one.failing = one.to.failing
			w.mean.before += one.perRequest * one.mean.before
			w.mean.after += one.perRequest * one.mean.after
		}
	}
	for _, one := range coming {
		one.mean = latency{before: one.to.mean.before + linkMs, after: one.to.mean.after + linkMs}
		one.failing = one.to.failing
	}
}

// One leaf of the middle cluster is slower after the onset: there is something to find.
func isCulprit(c *cluster, w *workload, s size) bool {
	return c.index == s.clusters/2 && w.index == s.workloads-1-s.workloads/20
}
