import type { Workload } from '@goldseam/server/contract'
import { createContext, type ReactNode, useContext } from 'react'
import { statusText } from '../../answers/status-text.ts'
import type { Domain } from '../../charts/scales.ts'
import { Sparkline } from '../../charts/sparkline.tsx'
import { lasting } from '../../format/age.ts'
import { tcpTexts } from '../../format/bytes.ts'
import { latency } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'
import { ratio } from '../../format/ratio.ts'
import { lastName, parseEdgeId } from '../../format/workload-name.ts'
import { useReadersZone } from '../../scope/spoken-times.ts'
import { workloadPath } from '../../scope/workload-path.ts'
import { Metric } from '../../ui/metric.tsx'
import { OwnBar } from '../../ui/own-bar.tsx'
import { CellSearch } from './cell-links.tsx'

/** One latency scale for the whole column, handed past the table to its cells. */
export const TrendDomain = createContext<Domain>([0.001, 1])

/** Plain, and followed by the table: a router's link in each row that scrolls by costs as much as all its numbers. */
function RowLink({ workload, children }: { readonly workload: Workload; readonly children: ReactNode }) {
  const { page } = useContext(CellSearch)
  const path = workloadPath(workload.id)
  if (path === null) return <span className="row-link">{children}</span>
  return (
    <a href={`${path}${page}`} data-plain className="row-link" data-status={statusText(workload)}>
      {children}
    </a>
  )
}

interface NameCellProps {
  readonly workload: Workload
  readonly seamTo: string | undefined
}

export function NameCell({ workload, seamTo }: NameCellProps) {
  const { namespace, name, kind, role, suspectRank, via, notes, truth, ageSeconds, truths, tcp } = workload
  const shown = kind === 'deployment' || name.includes(':') ? name : `${kind}:${name}`
  return (
    <span className="fleet-name">
      <RowLink workload={workload}>
        <span className="muted">{namespace}/</span>
        {shown}
      </RowLink>
      {suspectRank !== null && <span className="fleet-rank">#{suspectRank}</span>}
      {seamTo !== undefined && (
        <span className="fleet-aside fleet-seam">
          <span className="fleet-rails">
            <span className="sr-only">calls across the seam</span>
          </span>
          {lastName(seamTo)}
        </span>
      )}
      {via !== null && suspectRank === null && (
        <span className="fleet-aside">via {lastName(parseEdgeId(via)?.to ?? via)}</span>
      )}
      {truth === 'stale' && ageSeconds !== null && (
        <span className="fleet-aside">stale, {lasting(ageSeconds)} ago</span>
      )}
      {truths.requestsPerSecond === 'neverSeen' && tcp !== null && (
        <span className="fleet-aside">TCP only: {tcpTexts(tcp).join(', ')}</span>
      )}
      {truth === 'noTraffic' && notes.length === 0 && <span className="fleet-aside">no traffic</span>}
      {role !== 'workload' && <span className="fleet-aside">{role}</span>}
      {notes.map((note) => (
        <Note key={note} text={note} />
      ))}
    </span>
  )
}

/** By itself: the few rows that have one follow the address for the reader's zone, the thousands that have none do not. */
function Note({ text }: { readonly text: string }) {
  const say = useReadersZone()
  return <span className="fleet-aside">{say(text)}</span>
}

export function OwnCell({ workload: { own, suspectRank } }: { readonly workload: Workload }) {
  if (own.share === null) {
    return (
      <span className="muted" title={own.reason ?? 'Not slower than usual'}>
        <span aria-hidden="true">·</span>
        <span className="sr-only">{own.reason ?? 'not slower than usual'}</span>
      </span>
    )
  }
  return (
    <span className="fleet-own">
      <Metric kind="share" label="own share" value={own.share} truth="value" />
      <OwnBar share={own.share} strong={suspectRank !== null} />
    </span>
  )
}

export function TrendCell({ workload }: { readonly workload: Workload }) {
  const { trend, health, changeRatio, truth } = workload
  const domain = useContext(TrendDomain)
  const changed = changeRatio !== null && workload.change !== ''
  return (
    <span className="fleet-trend">
      <Sparkline
        values={trend.p99Seconds}
        usual={trend.usualP99Seconds}
        domain={domain}
        tone={truth === 'stale' ? 'none' : health}
        label={trendWords(workload)}
      />
      {changed && <Metric kind="ratio" label="p99 against usual" value={changeRatio} truth="value" />}
    </span>
  )
}

export function ChangeCell({ workload: { change, changeRatio } }: { readonly workload: Workload }) {
  if (change === '') return null
  const size = changeRatio === null ? '' : ` (${printed(ratio(changeRatio))})`
  return (
    <span className="fleet-change" title={`p99 against usual${size}`}>
      <span aria-hidden="true">{change.replaceAll('-', '\u2212')}</span>
      <span className="sr-only">{`${change.startsWith('+') ? 'up' : 'down'}${size}`}</span>
    </span>
  )
}

function trendWords({ trend, usual, now }: Workload): string {
  const first = trend.p99Seconds.find((value) => value !== null) ?? null
  const last = now.latencySeconds.p99
  if (first === null || last === null) return 'No p99 over time'
  const was = usual.latencySeconds.p99
  return `p99 now ${latency(last).spoken}${was === null ? '' : `, usually ${latency(was).spoken}`}`
}
