import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiProblem } from '../../api/problem.ts'
import { askPrometheus, type PromAnswer } from '../../api/prometheus.ts'
import { clock } from '../../format/clock.ts'
import { latency } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'
import { useScope } from '../../scope/use-scope.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { useNowMs } from '../../ui/now.ts'
import { metricIn } from './syntax.ts'
import { TOGETHER } from './together.ts'
import { askedAgainMs, type ClusterAnswer, type Run } from './use-explore.ts'

interface ClusterStripProps {
  readonly answers: readonly ClusterAnswer[]
  readonly run: Run
  /** Of several expressions. */
  readonly letter?: string
}

/** How each cluster took the question: what it gave, how fast, and what it warned of. Never hidden. */
export function ClusterStrip({ answers, run, letter }: ClusterStripProps) {
  const counts = answers.flatMap(({ cluster, query }) =>
    query.data && cluster !== TOGETHER
      ? [{ cluster, count: query.data.series.length + query.data.histograms.length }]
      : [],
  )
  return (
    <ul className="explore-strip" aria-label={`Answer of each cluster${letter ? ` to ${letter}` : ''}`}>
      {answers.map((answer) => (
        <li key={answer.cluster} data-state={answer.query.status}>
          <ClusterLine answer={answer} run={run} others={counts.filter(({ cluster }) => cluster !== answer.cluster)} />
        </li>
      ))}
    </ul>
  )
}

interface ClusterLineProps {
  readonly answer: ClusterAnswer
  readonly run: Run
  readonly others: readonly { readonly cluster: string; readonly count: number }[]
}

function ClusterLine({ answer, run, others }: ClusterLineProps) {
  const { cluster, query, earlier } = answer
  if (query.isPending || query.isFetching)
    return (
      <>
        <Waiting cluster={cluster} run={run} />
        {earlier && <Earlier run={earlier} />}
      </>
    )
  if (query.isError) {
    const status = query.error instanceof ApiProblem ? query.error.status : 0
    const notKept = run.saved !== '' && status === 404
    return (
      <>
        <p className="explore-line">
          <Glyph mark={notKept ? 'none' : 'unknown'} label={notKept ? 'not kept' : 'failed'} />{' '}
          <strong>{cluster}</strong> {notKept ? 'not kept' : status > 0 ? `HTTP ${status}` : 'no answer'}
          {!notKept && (
            <button type="button" className="button-link" onClick={() => void query.refetch()}>
              again
            </button>
          )}
        </p>
        <p className="explore-problem">{query.error.message}</p>
        {earlier && <Earlier run={earlier} />}
        {askedAgainMs({ state: query }) !== false && <p className="muted">It is asked again by itself.</p>}
      </>
    )
  }
  const { series, warnings, infos, tookSeconds, histograms } = query.data
  const joined = cluster === TOGETHER && run.join === 'added'
  // Where they could not be added up, the server says why.
  const wasMerged = infos.some((text) => text.startsWith('joined over'))
  if (cluster === TOGETHER && !joined && series.length === 0 && warnings.length === 0 && wasMerged)
    return (
      <p className="explore-line">
        <Glyph mark="ok" label="answered" /> <strong>{cluster}</strong>
        <span className="muted">no series is in several clusters: each one's own is all there is</span>
      </p>
    )
  return (
    <>
      <p className="explore-line">
        <Glyph
          mark={warnings.length > 0 ? 'partial' : 'ok'}
          label={warnings.length > 0 ? 'with warnings' : 'answered'}
        />{' '}
        <strong>{cluster}</strong> {seriesIn(query.data)}{' '}
        <span className="muted">{run.saved === '' ? printed(latency(tookSeconds)) : 'as kept'}</span>
      </p>
      {warnings.map((text) => (
        <p key={text} className="explore-warning">
          {text}
        </p>
      ))}
      {infos.map((text) => (
        <p key={text} className={text.startsWith(NOT_JOINED) ? 'explore-warning' : 'muted'}>
          {text}
        </p>
      ))}
      {series.length === 0 && histograms.length === 0 && <Nothing cluster={cluster} run={run} others={others} />}
    </>
  )
}

/** Numbers of another run must not pass for those that were asked for. */
function Earlier({ run }: { readonly run: Run }) {
  const { tz } = useScope()
  return (
    <p className="explore-warning">
      What is shown of it is still the answer of the run at <strong>{clock(run.id, tz, true)}</strong>.
    </p>
  )
}

function seriesIn({ series, histograms }: PromAnswer): string {
  const natives = `${histograms.length} of native histograms`
  if (histograms.length === 0) return `${series.length} series`
  return series.length === 0
    ? `${histograms.length} series of native histograms`
    : `${series.length} series, ${natives}`
}

/** How the server begins the word on why there is no one answer. */
const NOT_JOINED = 'not joined:'

function Waiting({ cluster, run }: { readonly cluster: string; readonly run: Run }) {
  const client = useQueryClient()
  const seconds = Math.max(0, Math.round((useNowMs() - run.id) / 1000))
  return (
    <p className="explore-line" aria-busy="true">
      <Glyph mark="none" label="asked" /> <strong>{cluster}</strong>
      <span className="muted">asked {seconds} s ago</span>
      <button
        type="button"
        className="button-link"
        onClick={() => void client.cancelQueries({ queryKey: ['explore', cluster] })}
      >
        cancel
      </button>
    </p>
  )
}

/** The useful kind of empty: whether the metric is there at all, and by which labels. */
function Nothing({ cluster, run, others }: Omit<ClusterLineProps, 'answer'> & { readonly cluster: string }) {
  const metric = metricIn(run.promql)
  const labels = useQuery({
    queryKey: ['explore', 'labels', cluster, metric],
    // Of saved evidence the clusters are not asked.
    enabled: metric !== null && cluster !== TOGETHER && run.saved === '',
    retry: false,
    queryFn: async ({ signal }) => {
      const { from, to } = run.stretch
      const params = { 'match[]': [metric ?? ''], c: cluster, start: String(from), end: String(to) }
      const body = (await askPrometheus('/labels', params, signal)) as { data?: string[] }
      return (body.data ?? []).filter((name) => name !== '__name__' && name !== 'cluster')
    },
  })
  const elsewhere = others.filter(({ count }) => count > 0).map(({ cluster: name, count }) => `${count} in ${name}`)
  if (cluster === TOGETHER && run.join === 'added') return <p className="muted">No series in any of them.</p>
  if (cluster === TOGETHER)
    return <p className="muted">No series is in several clusters: each one's own is all there is.</p>
  return (
    <p className="muted">
      No series. {elsewhere.length > 0 && `There are ${elsewhere.join(', ')}. `}
      {labels.data !== undefined &&
        (labels.data.length === 0
          ? `${cluster} has no ${metric} in this window.`
          : `${cluster} has ${metric} with the labels ${labels.data.join(', ')}.`)}
    </p>
  )
}
