// blocks writes what the Linkerd proxies of one cluster would have exported into a block of Prometheus' TSDB: the
// world of the benchmarks, the same for the same seed.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"math/rand"
	"os"
	"path/filepath"
	"slices"

	"github.com/oklog/ulid/v2"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/tsdb/index"
	"github.com/prometheus/prometheus/tsdb/tombstones"
)

const samplesPerChunk = 120

func main() {
	var s size
	index := flag.Int("cluster", 0, "which cluster to write, from 0")
	flag.IntVar(&s.clusters, "clusters", 5, "clusters")
	flag.IntVar(&s.workloads, "workloads", 200, "workloads a cluster")
	flag.IntVar(&s.pods, "pods", 3, "pods a workload")
	flag.Uint64Var(&s.seed, "seed", 1, "seed")
	from := flag.Int64("from", 0, "first scrape, unix seconds")
	denseFrom := flag.Int64("dense-from", 0, "from here on every -step, before every -sparse-step, unix seconds")
	to := flag.Int64("to", 0, "last scrape, unix seconds")
	step := flag.Int64("step", 10, "seconds")
	sparse := flag.Int64("sparse-step", 30, "seconds")
	onset := flag.Int64("onset", 0, "when one workload becomes slow, unix seconds")
	out := flag.String("out", "", "data folder of a Prometheus")
	flag.Parse()
	var ticks []int64
	for t := *from; t <= *to; {
		ticks = append(ticks, t)
		if t < *denseFrom {
			t += *sparse
		} else {
			t += *step
		}
	}
	all := seriesOf(drawWorld(s, *index), s)
	stats, err := writeBlock(*out, all, ticks, *onset)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(stats)
}

// writeBlock writes one block with all samples.
func writeBlock(folder string, all []series, ticks []int64, onset int64) (tsdb.BlockStats, error) {
	slices.SortFunc(all, func(a, b series) int { return labels.Compare(a.labels, b.labels) })
	meta := tsdb.BlockMeta{
		ULID:    ulid.MustNew(uint64(ticks[0])*1_000, rand.New(rand.NewSource(1))),
		MinTime: ticks[0] * 1_000,
		MaxTime: (ticks[len(ticks)-1] + 60) * 1_000,
		Version: 1,
	}
	meta.Compaction.Level = 1
	meta.Compaction.Sources = []ulid.ULID{meta.ULID}
	place := filepath.Join(folder, meta.ULID.String())
	if err := os.MkdirAll(place, 0o777); err != nil {
		return meta.Stats, err
	}
	if err := fill(place, all, ticks, onset, &meta.Stats); err != nil {
		return meta.Stats, err
	}
	if _, err := tombstones.WriteFile(slog.New(slog.DiscardHandler), place, tombstones.NewMemTombstones()); err != nil {
		return meta.Stats, err
	}
	text, err := json.MarshalIndent(meta, "", "\t")
	if err != nil {
		return meta.Stats, err
	}
	return meta.Stats, os.WriteFile(filepath.Join(place, "meta.json"), text, 0o666)
}

func fill(place string, all []series, ticks []int64, onset int64, stats *tsdb.BlockStats) error {
	chunkWriter, err := chunks.NewWriter(filepath.Join(place, "chunks"))
	if err != nil {
		return err
	}
	indexWriter, err := index.NewWriter(context.Background(), filepath.Join(place, "index"))
	if err != nil {
		return err
	}
	for _, symbol := range symbolsOf(all) {
		if err := indexWriter.AddSymbol(symbol); err != nil {
			return err
		}
	}
	values := make([]float64, len(ticks))
	for i := range all {
		all[i].values(values, ticks, onset)
		metas, err := encode(values, ticks, all[i].lateMs)
		if err != nil {
			return err
		}
		if err := chunkWriter.WriteChunks(metas...); err != nil {
			return err
		}
		if err := indexWriter.AddSeries(storage.SeriesRef(i), all[i].labels, metas...); err != nil {
			return err
		}
		stats.NumSeries++
		stats.NumChunks += uint64(len(metas))
		stats.NumSamples += uint64(len(ticks))
	}
	stats.NumFloatSamples = stats.NumSamples
	if err := chunkWriter.Close(); err != nil {
		return err
	}
	return indexWriter.Close()
}

func encode(values []float64, ticks []int64, lateMs int64) ([]chunks.Meta, error) {
	var metas []chunks.Meta
	for from := 0; from < len(ticks); from += samplesPerChunk {
		to := min(from+samplesPerChunk, len(ticks))
		chunk := chunkenc.NewXORChunk()
		appender, err := chunk.Appender()
		if err != nil {
			return nil, err
		}
		for i := from; i < to; i++ {
			appender.Append(0, ticks[i]*1_000+lateMs, values[i])
		}
		metas = append(metas, chunks.Meta{
			Chunk:   chunk,
			MinTime: ticks[from]*1_000 + lateMs,
			MaxTime: ticks[to-1]*1_000 + lateMs,
		})
	}
	return metas, nil
}

func symbolsOf(all []series) []string {
	seen := map[string]bool{"": true}
	for i := range all {
		all[i].labels.Range(func(label labels.Label) {
			seen[label.Name], seen[label.Value] = true, true
		})
	}
	symbols := make([]string, 0, len(seen))
	for symbol := range seen {
		symbols = append(symbols, symbol)
	}
	slices.Sort(symbols)
	return symbols
}
