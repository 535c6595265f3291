import './alert-list.css'
import type { Alert } from '@goldseam/server/contract'
import type { ReactNode } from 'react'
import { clock, instant } from '../format/clock.ts'

interface AlertListProps {
  readonly alerts: readonly Alert[]
  readonly tz: 'utc' | 'local'
  /** How the workload that an alert is about is shown; absent: all are about the same. */
  readonly linkTo?: (id: string) => ReactNode
}

/** What fires in the clusters' own Prometheus, each with the workload it is about, or the labels that name none. */
export function AlertList({ alerts, tz, linkTo }: AlertListProps) {
  return (
    <ul className="alert-list">
      {alerts.map(({ cluster, name, severity, summary, since, labels, workload }) => (
        <li key={`${cluster} ${name} ${JSON.stringify(labels)}`}>
          <span className="alert-name">{name}</span>
          {severity && <span className="muted">{severity}</span>}
          {since && <span title={instant(since)}>since {clock(since, tz)}</span>}
          {linkTo &&
            (workload === null ? (
              <span className="muted">
                {cluster}, no workload: {labelText(labels)}
              </span>
            ) : (
              linkTo(workload)
            ))}
          {summary && <span className="alert-summary muted">{summary}</span>}
        </li>
      ))}
    </ul>
  )
}

const MOST_LABELS = 4

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).filter(([name]) => name !== 'severity')
  if (pairs.length === 0) return 'its labels name nothing'
  const shown = pairs.slice(0, MOST_LABELS).map(([name, value]) => `${name}=${value}`)
  return `${shown.join(', ')}${pairs.length > MOST_LABELS ? ', ...' : ''}`
}
