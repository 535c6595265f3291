import type { Cluster } from '@goldseam/server/contract'
import { Link } from '@tanstack/react-router'
import { age } from '../format/age.ts'
import { keepScope } from '../scope/scope-search.ts'
import { Glyph, type Mark } from '../ui/glyph.tsx'

const MARKS: Record<Cluster['state'], Mark> = {
  ok: 'ok',
  stale: 'stale',
  partial: 'partial',
  down: 'unknown',
  pending: 'none',
}
const WORDS: Record<Cluster['state'], string> = {
  ok: 'ok',
  stale: 'stale',
  partial: 'partial',
  down: 'no answer',
  pending: 'reading',
}

interface ClusterPillsProps {
  readonly clusters: readonly Cluster[]
  /** Time since the answer arrived: ages go on growing while nothing new comes. */
  readonly sinceArrivalSeconds: number
}

export function ClusterPills({ clusters, sinceArrivalSeconds }: ClusterPillsProps) {
  const answering = clusters.filter(({ state }) => state === 'ok').length
  return (
    <ul className="pills" aria-label="Clusters">
      {clusters.map(({ name, state, ageSeconds, reason }) => (
        <li key={name}>
          <Link
            to="/clusters/$cluster"
            params={{ cluster: name }}
            search={keepScope}
            className="pill"
            data-state={state}
            title={reason ?? `${name}: ${WORDS[state]}`}
          >
            <Glyph mark={MARKS[state]} size={10} label={WORDS[state]} />
            <span className="pill-name">{name}</span>
            <span className="muted">
              {state === 'ok' ? '' : `${WORDS[state]} `}
              {ageSeconds === null ? '' : age(ageSeconds + sinceArrivalSeconds)}
            </span>
          </Link>
        </li>
      ))}
      {clusters.length > 1 && (
        <li className="muted pill-sum">
          {answering}/{clusters.length}
        </li>
      )}
    </ul>
  )
}
