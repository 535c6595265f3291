import type { ClusterStatus, Gap } from '@goldseam/server/contract'
import { Link } from '@tanstack/react-router'
import { type MouseEvent, useEffect, useRef } from 'react'
import { ToolLinks } from '../../answers/tool-links.tsx'
import { age } from '../../format/age.ts'
import { shortCount } from '../../format/rate.ts'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { useChangeSearch } from '../../scope/use-scope.ts'
import { useWindow } from '../../scope/use-window.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import { isOld, kubeWord, lastAnswerAt, p95Of } from './clusters-data.ts'
import { LoadReading } from './load-reading.tsx'
import { asOursWithin } from './skew-words.ts'
import { STATE_MARKS, STATE_WORDS } from './state-marks.ts'
import { StatusNotes } from './status-notes.tsx'

interface StatusRowProps {
  readonly cluster: ClusterStatus
  readonly gaps: readonly Gap[]
  /** When the snapshot was taken. */
  readonly atMs: number
  readonly columns: number
  /** The link points at it. */
  readonly chosen: boolean
}

/** A line of numbers, hatched where they are the last good ones, and below it what is to be known about them. */
export function StatusRow({ cluster, gaps, atMs, columns, chosen }: StatusRowProps) {
  const { name, state, ageSeconds, seriesRead, dialects } = cluster
  const body = useRef<HTMLTableSectionElement>(null)
  const change = useChangeSearch()
  const window = useWindow()
  useEffect(() => {
    if (chosen) body.current?.scrollIntoView?.({ block: 'nearest' })
  }, [chosen])
  function choose({ target }: MouseEvent) {
    if (target instanceof Element && target.closest('a, button')) return
    change({ sel: chosen ? undefined : name }, { replace: true })
  }
  const old = isOld(cluster)
  const hatched = old ? ' hatched' : ''
  const answered = lastAnswerAt(cluster)
  const kube = kubeWord(cluster)
  const workloads = cluster.workloads === 0 && old ? (cluster.workloadsLastSeen ?? 0) : cluster.workloads
  return (
    // The link in its first cell is the way for the keyboard; a click beside it only points at the row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <tbody ref={body} data-state={state} data-chosen={chosen} onClick={choose}>
      <tr>
        <th scope="row" data-label="Cluster">
          <Link
            to="/clusters/$cluster"
            params={{ cluster: name }}
            search={(previous: SearchText) => keepScope(previous)}
            className="clusters-name"
          >
            {name}
          </Link>
        </th>
        <td data-label="Reach">
          <span className="clusters-state">
            <Glyph mark={STATE_MARKS[state]} />
            {STATE_WORDS[state]}
          </span>
        </td>
        <td data-label="Last answer" className="number" title={answered ?? undefined}>
          {answered === null ? 'never' : age(Math.max(0, (atMs - Date.parse(answered)) / 1000))}
        </td>
        <td data-label="p95 query" className={`number${hatched}`}>
          <Metric kind="latency" value={p95Of(cluster)} label="p95 query" />
        </td>
        <td data-label="Data age" className={`number${hatched}`}>
          {ageSeconds === null ? '--' : age(ageSeconds)}
        </td>
        <td data-label="Load" className="number">
          <LoadReading load={cluster.load} />
        </td>
        <td data-label="Series" className={`number${hatched}`}>
          {seriesRead === null ? '--' : shortCount(seriesRead)}
        </td>
        <td data-label="Workloads" className={`number${hatched}`}>
          {workloads}
        </td>
        <td data-label="Clock skew" className={`number${hatched}`}>
          <Skew cluster={cluster} />
        </td>
        <td data-label="Metrics found" className={hatched.trim() || undefined}>
          {dialects.join(', ') || 'none found'}
        </td>
        <td data-label="Kube-state" className={hatched.trim() || undefined}>
          {kube === 'none' ? (
            <span className="clusters-state">
              <Glyph mark="warn" size={10} /> none
            </span>
          ) : (
            (kube ?? <span className="muted">not asked yet</span>)
          )}
        </td>
        <td data-label="Seams" className={hatched.trim() || undefined}>
          <Seams cluster={cluster} />
        </td>
      </tr>
      <tr className="clusters-about">
        <td colSpan={columns}>
          <StatusNotes cluster={cluster} gaps={gaps} atMs={atMs} />
          <ToolLinks of={name} {...window} />
        </td>
      </tr>
    </tbody>
  )
}

/** Scrapes this many intervals apart can no longer be told apart in time. */
const SKEWED_INTERVALS = 2

function Skew({ cluster }: Pick<StatusRowProps, 'cluster'>) {
  const { clockSkewSeconds, scrapeIntervalSeconds } = cluster
  const within = asOursWithin(cluster)
  if (within !== null)
    return (
      <span>
        <span aria-hidden="true">±</span>
        <Metric kind="latency" value={within} label="as ours within" />
      </span>
    )
  const far =
    clockSkewSeconds !== null &&
    scrapeIntervalSeconds !== null &&
    Math.abs(clockSkewSeconds) > SKEWED_INTERVALS * scrapeIntervalSeconds
  return (
    <span className="clusters-state">
      {far && <Glyph mark="warn" size={10} label="more than two scrapes off" />}
      <Metric kind="latencyDelta" value={clockSkewSeconds} label="clock skew" />
    </span>
  )
}

/** `⇒ west 3`: three seams lead there. */
function Seams({ cluster: { seamsOut, seamsIn, seamsWith } }: Pick<StatusRowProps, 'cluster'>) {
  if (seamsWith === undefined) return `${seamsOut} out, ${seamsIn} in`
  if (seamsWith.length === 0) return <span className="muted">none</span>
  return (
    <span className="clusters-seams">
      {seamsWith.flatMap(({ cluster, out, in: into }) => [
        ...(out > 0 ? [<Way key={`${cluster} out`} sign="⇒" says="calls into" cluster={cluster} count={out} />] : []),
        ...(into > 0 ? [<Way key={`${cluster} in`} sign="⇐" says="called from" cluster={cluster} count={into} />] : []),
      ])}
    </span>
  )
}

interface WayProps {
  readonly sign: string
  readonly says: string
  readonly cluster: string
  readonly count: number
}

function Way({ sign, says, cluster, count }: WayProps) {
  return (
    <span>
      <span className="clusters-way" aria-hidden="true">
        {sign}
      </span>
      <span className="sr-only">{says}</span> {cluster} {count}
    </span>
  )
}
