import { EXPLORE_QUANTILES, exploreQuantile } from '@goldseam/server/contract'
import { plain } from '../../format/plain.ts'
import { useWidth } from '../../ui/use-width.ts'
import { ExploreEach, ExploreLines } from './explore-chart.tsx'
import { HeatFigure } from './explore-heat.tsx'
import { HistogramTable } from './histogram-table.tsx'
import { type HistogramSeries, heatOfHistograms, keyOf } from './histograms.ts'
import { type ExploreSeries, exploreSeries } from './series.ts'
import { TOGETHER } from './together.ts'
import { isJoined, type Run, useAnswers } from './use-explore.ts'

interface HistogramBlockProps {
  readonly series: readonly HistogramSeries[]
  readonly run: Run
  readonly asked: readonly string[]
  /** Of downloads, without an ending. */
  readonly file: string
}

/** Native histograms: percentiles as lines, or all of their buckets as a heatmap, and the newest of each in a table. */
export function HistogramBlock({ series, run, asked, file: of }: HistogramBlockProps) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const clusters = [...new Set(series.map(({ cluster }) => cluster))]
  const quantiles = useQuantiles(clusters, asked, run)
  const file = `${of}-histograms`
  const shown = { series: quantiles.flatMap(({ lines }) => lines), clusters, run, lit: null, file }
  return (
    <div ref={ref} className="explore-heats">
      {(run.view === 'lines' || run.view === 'each') && (
        <p className="muted">p50, p95 and p99 of each series of native histograms, taken from their buckets:</p>
      )}
      {run.view === 'lines' && shown.series.length > 0 && <ExploreLines {...shown} />}
      {run.view === 'each' && shown.series.length > 0 && <ExploreEach {...shown} />}
      {run.view === 'heat' &&
        width > 0 &&
        clusters.map((cluster) => {
          const mine = series.filter((one) => one.cluster === cluster)
          const heat = heatOfHistograms(mine, run.stretch)
          return <HeatFigure key={cluster} name={cluster} run={run} file={file} width={width} {...heat} />
        })}
      <HistogramTable
        series={series}
        file={file}
        quantiles={quantiles.map(({ q, lines }) => ({
          q,
          last: new Map(lines.map(({ cluster, labels: { quantile: _, ...own }, last }) => [keyOf(cluster, own), last])),
        }))}
        print={plain}
      />
    </div>
  )
}

/** Each cluster's Prometheus takes the percentiles of its own; over all of them they are of histograms added up. */
function useQuantiles(clusters: readonly string[], asked: readonly string[], run: Run) {
  const from = isJoined(asked, run) ? [TOGETHER] : clusters
  const wanted = EXPLORE_QUANTILES.flatMap((q) => from.map((cluster) => ({ q, cluster })))
  const answers = useAnswers(
    wanted.map(({ q, cluster }) => ({ cluster, run: { ...run, promql: exploreQuantile(q, run.promql) } })),
    asked,
  )
  return EXPLORE_QUANTILES.map((q) => ({
    q,
    lines: wanted.flatMap(({ q: other, cluster }, index): ExploreSeries[] => {
      if (other !== q) return []
      const found = answers[index]?.query.data?.series ?? []
      const named = found.map((one) => ({ ...one, labels: { ...one.labels, quantile: String(q) } }))
      return exploreSeries(cluster, named)
    }),
  }))
}
