import { useState } from 'react'
import { useChangeSearch, useFields, useScope } from '../../scope/use-scope.ts'
import { ClusterStrip } from './cluster-strip.tsx'
import { readHistory, remember } from './examples.ts'
import { Explain } from './explain.tsx'
import { ExploreHeat, ExploreLines } from './explore-chart.tsx'
import { exploreFields, fittingStep, MOST_POINTS, pointsOf, stretchOf, type View } from './explore-search.ts'
import { ExploreToolbar } from './explore-toolbar.tsx'
import { PromqlEditor } from './promql-editor.tsx'
import { ResultTable } from './result-table.tsx'
import { exploreSeries } from './series.ts'
import { syntaxProblem } from './syntax.ts'
import { type Run, useExplore } from './use-explore.ts'

/** More than that is read as a table first. */
const TABLE_FIRST_ABOVE = 200

/** Editor, answers, charts. What runs is in the address: a link asks the same again. */
export function Workbench({ clusters }: { readonly clusters: readonly string[] }) {
  const { e1, on, view, step } = useFields(exploreFields)
  const { from, to } = useScope()
  const change = useChangeSearch()
  const [text, setText] = useState(e1)
  const [past, setPast] = useState(readHistory)
  const [runId, setRunId] = useState(() => Date.now())
  const [lit, setLit] = useState<string | null>(null)
  const [seen, setSeen] = useState(e1)
  if (seen !== e1) {
    // Back and forward bring other expressions into the editor.
    setSeen(e1)
    setText(e1)
  }
  const asked = on.length === 0 ? clusters : clusters.filter((name) => on.includes(name))
  const stretch = stretchOf(from, to, step, runId)
  const tooFine = pointsOf(stretch) > MOST_POINTS
  const problem = syntaxProblem(e1)
  const run: Run | null =
    e1.trim() === '' || tooFine || problem !== null ? null : { id: runId, promql: e1, stretch, view }
  const answers = useExplore(asked, run)
  const series = answers.flatMap(({ cluster, query }) => exploreSeries(cluster, query.data?.series ?? []))
  const typedProblem = text === e1 ? problem : syntaxProblem(text)

  function go(promql = text) {
    if (promql.trim() === '' || syntaxProblem(promql) !== null) return
    setPast(remember(promql))
    setRunId(Date.now())
    setLit(null)
    change({ e1: promql })
  }
  const many = series.length > TABLE_FIRST_ABOVE
  const table = series.length > 0 && <ResultTable key={runId} series={series} lit={lit} light={setLit} />
  const lines = view === 'lines' && series.length > 0 && (
    <ExploreLines series={series} clusters={asked} stretch={stretch} lit={lit} />
  )
  return (
    <>
      <PromqlEditor value={text} change={setText} run={() => go()} />
      {typedProblem && (
        <p className="explore-problem" role="alert">
          {typedProblem}
        </p>
      )}
      <ExploreToolbar
        clusters={clusters}
        asked={asked}
        view={view}
        step={step}
        usedStep={stretch.step}
        past={past}
        canRun={text.trim() !== '' && typedProblem === null}
        run={() => go()}
        pick={(promql) => {
          setText(promql)
          go(promql)
        }}
        choose={(names) => change({ on: names.length === clusters.length ? undefined : names.join(',') })}
        changeView={(next: View) => change({ view: next === 'lines' ? undefined : next })}
        changeStep={(next) => change({ step: next })}
      />
      {tooFine && (
        <p className="note" role="alert">
          {pointsOf(stretch)} points a series are more than the {MOST_POINTS} that Prometheus answers.
          <button
            type="button"
            className="button"
            onClick={() => change({ step: `${fittingStep(stretch.to - stretch.from, MOST_POINTS)}s` })}
          >
            Use a step of {fittingStep(stretch.to - stretch.from, MOST_POINTS)} s
          </button>
        </p>
      )}
      {run ? <ClusterStrip answers={answers} run={run} /> : !tooFine && <Start />}
      {many && table}
      {lines}
      {view === 'heat' && series.length > 0 && <ExploreHeat series={series} clusters={asked} stretch={stretch} />}
      {!many && table}
      <Explain clusters={asked} stretch={stretch} instant={view === 'table'} />
    </>
  )
}

function Start() {
  return (
    <p className="muted explore-start">
      Type an expression, or take an example; <kbd>Ctrl</kbd> <kbd>Enter</kbd> asks every cluster.
    </p>
  )
}
