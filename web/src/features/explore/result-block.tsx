import { useEffect, useState } from 'react'
import { ClusterStrip } from './cluster-strip.tsx'
import { ExploreEach, ExploreLines } from './explore-chart.tsx'
import { ExploreHeat } from './explore-heat.tsx'
import { letterOf } from './explore-search.ts'
import { HistogramBlock } from './histogram-block.tsx'
import { histogramSeries } from './histograms.ts'
import { ResultTable } from './result-table.tsx'
import { type ExploreSeries, exploreSeries } from './series.ts'
import { TOGETHER } from './together.ts'
import { isJoined, type Run, useExplore } from './use-explore.ts'

/** More than that is read as a table first. */
const TABLE_FIRST_ABOVE = 200
/** After the first answer the others most often come within this: what is drawn then does not jump again. */
const MOMENT_MS = 400

interface ResultBlockProps {
  readonly index: number
  /** Whether a letter is needed to tell it from others. */
  readonly lettered: boolean
  readonly run: Run
  /** Clusters that are asked. */
  readonly asked: readonly string[]
}

/** What one expression brought: how each cluster took it, the picture, the rows. */
export function ResultBlock({ index, lettered, run, asked }: ResultBlockProps) {
  const [lit, setLit] = useState<string | null>(null)
  const answers = useExplore(asked, run)
  const letter = letterOf(index)
  const asking = answers.some(({ query }) => query.isPending)
  const drawn = useMomentPassed(asking && answers.some(({ query }) => !query.isPending), run.id) ? answers : []
  const series = drawn.flatMap(({ cluster, query }) => exploreSeries(cluster, query.data?.series ?? []))
  const natives = drawn.flatMap(({ cluster, query }) => histogramSeries(cluster, query.data?.histograms ?? []))
  const file = lettered ? `goldseam-explore-${letter}` : 'goldseam-explore'
  const names = answers.map(({ cluster }) => cluster)
  const clusters = isJoined(asked, run) ? [TOGETHER, ...asked].filter(isAmong(series)) : names
  const shown = { series, clusters, run, lit, file }
  const table = series.length > 0 && (
    <ResultTable
      key={`${run.id} ${run.promql}`}
      file={file}
      oneOfSeveral={lettered}
      series={series}
      lit={lit}
      light={setLit}
    />
  )
  const many = series.length > TABLE_FIRST_ABOVE
  return (
    <section
      className="explore-result"
      data-earlier={answers.some(({ earlier }) => earlier !== null) || undefined}
      aria-label={lettered ? `Result of ${letter}` : 'Result'}
    >
      {lettered && (
        <h2 className="explore-result-name">
          <span className="explore-letter">{letter}</span> <code>{run.promql}</code>
        </h2>
      )}
      <ClusterStrip answers={answers} run={run} {...(lettered ? { letter } : {})} />
      {series.length + natives.length === 0 && asking && <div className="explore-room" />}
      {many && table}
      {series.length > 0 && run.view === 'lines' && <ExploreLines {...shown} />}
      {series.length > 0 && run.view === 'each' && <ExploreEach {...shown} />}
      {series.length > 0 && run.view === 'heat' && <ExploreHeat {...shown} />}
      {!many && table}
      {natives.length > 0 && <HistogramBlock series={natives} run={run} asked={asked} file={file} />}
    </section>
  )
}

function isAmong(series: readonly ExploreSeries[]) {
  const names = new Set(series.map(({ cluster }) => cluster))
  return (name: string) => names.has(name)
}

/** False for a moment while `waiting`, once a run. */
function useMomentPassed(waiting: boolean, runId: number): boolean {
  const [passed, setPassed] = useState<number | null>(null)
  useEffect(() => {
    if (!waiting) return
    const moment = setTimeout(() => setPassed(runId), MOMENT_MS)
    return () => clearTimeout(moment)
  }, [waiting, runId])
  return !waiting || passed === runId
}
