package main

import (
	"hash/fnv"
	"math"

	"github.com/prometheus/prometheus/model/labels"
)

// One counter that only grows, and what of it a series shows: its whole, a bucket's share, milliseconds.
type counter struct {
	rate, offset, wave float64
	// At each tick, worked out once for all series that show it.
	known []float64
}

func (c *counter) at(seconds float64) float64 {
	// Grows always: the wave is slower than the counter.
	return math.Floor(c.offset + c.rate*seconds + c.wave*math.Sin(seconds/20))
}

func (c *counter) over(ticks []int64) []float64 {
	if c.known == nil {
		c.known = make([]float64, len(ticks))
		for i, tick := range ticks {
			c.known[i] = c.at(float64(tick - ticks[0]))
		}
	}
	return c.known
}

type series struct {
	labels labels.Labels
	from   *counter
	// Of each count before the onset, and after it.
	before, after float64
	// Milliseconds after the tick at which the pod is scraped.
	lateMs int64
}

// values at each tick; what was counted by the onset stays as it is after it.
func (s *series) values(into []float64, ticks []int64, onset int64) {
	if s.from == nil {
		for i := range into {
			into[i] = s.before
		}
		return
	}
	calm := s.from.at(float64(onset - ticks[0]))
	base := math.Floor(s.before * calm)
	for i, count := range s.from.over(ticks) {
		if ticks[i] <= onset {
			into[i] = math.Floor(s.before * count)
		} else {
			into[i] = base + math.Floor(s.after*(count-calm))
		}
	}
}

// What one pod exports.
type page struct {
	base   pairs
	lateMs int64
	out    *[]series
}

func (p page) add(name string, target pairs, from *counter, before, after float64) {
	ls := labels.New(target.with("__name__", name)...)
	*p.out = append(*p.out, series{labels: ls, from: from, before: before, after: after, lateMs: p.lateMs})
}

func newCounter(rate float64, key string) *counter {
	sum := fnv.New32a()
	sum.Write([]byte(key))
	fraction := float64(sum.Sum32()) / math.MaxUint32
	return &counter{rate: rate, offset: math.Floor(1e6 * rate * fraction), wave: rate * 10 * fraction}
}

// responses writes the legacy trio of one target: requests, responses and latency by status.
func (p page) responses(target pairs, rate, failing float64, mean latency) {
	key := labels.New(target...).String()
	p.add("request_total", target, newCounter(rate, key), 1, 1)
	for _, status := range []struct{ code, class, rate string }{{"200", "success", ""}, {"500", "failure", ""}} {
		share := 1 - failing
		if status.class == "failure" {
			share = failing
		}
		if share == 0 {
			continue
		}
		from := newCounter(rate*share, key+status.code)
		coded := target.with("status_code", status.code)
		p.add("response_total", coded.with("classification", status.class), from, 1, 1)
		p.add("response_latency_ms_count", coded, from, 1, 1)
		p.add("response_latency_ms_sum", coded, from, mean.before, mean.after)
		p.buckets("response_latency_ms_bucket", coded, from, mean, bounds)
	}
}

func (p page) buckets(name string, target pairs, from *counter, mean latency, bounds []float64) {
	for _, bound := range bounds {
		p.add(name, target.with("le", le(bound)), from, below(bound, mean.before), below(bound, mean.after))
	}
	p.add(name, target.with("le", "+Inf"), from, 1, 1)
}

// below is the share of requests that take no longer than the bound: latencies are log-normal.
func below(bound, mean float64) float64 {
	middle := math.Log(mean) - widthOfLatency*widthOfLatency/2
	return 0.5 * math.Erfc(-(math.Log(bound)-middle)/(widthOfLatency*math.Sqrt2))
}

func (p page) route(target pairs, rate, failing float64, mean latency) {
	prefix := "outbound_http_route_request_"
	from := newCounter(rate, labels.New(target...).String())
	p.add(prefix+"statuses_total", target.with("http_status", "200"), from, 1-failing, 1-failing)
	if failing > 0 {
		p.add(prefix+"statuses_total", target.with("http_status", "500"), from, failing, failing)
	}
	seconds := latency{before: mean.before / 1e3, after: mean.after / 1e3}
	p.add(prefix+"duration_seconds_count", target, from, 1, 1)
	p.add(prefix+"duration_seconds_sum", target, from, seconds.before, seconds.after)
	p.buckets(prefix+"duration_seconds_bucket", target, from, seconds, routeBounds)
}

func (p page) connections(target pairs, peer string, rate float64) {
	peered := target.with("peer", peer)
	key := labels.New(peered...).String()
	p.add("tcp_open_connections", peered, nil, 2, 2)
	p.add("tcp_read_bytes_total", peered, newCounter(rate*700, key), 1, 1)
	p.add("tcp_write_bytes_total", peered, newCounter(rate*1_900, key+"w"), 1, 1)
}
