import type { Problem } from '@goldseam/server/contract'
import { Link } from '@tanstack/react-router'
import { stretch } from '../../format/stretch.ts'
import { parseWorkloadId } from '../../format/workload-name.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { isoInstant } from '../../scope/time-range.ts'
import { useScope } from '../../scope/use-scope.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'

/** The entity of the link is not there: the page stays, says so, and offers near names. It never shows another one instead. */
export function WorkloadNotFound({ id, problem }: { readonly id: string; readonly problem: Problem }) {
  const near = problem.near ?? []
  return (
    <section className="answer-problem" role="alert">
      <h2>{problem.title}</h2>
      <p>{problem.detail ?? `No series for ${id} in this window.`}</p>
      {problem.lastSeenAt !== undefined && <LastSeen endMs={Date.parse(problem.lastSeenAt)} />}
      {near.length > 0 && (
        <>
          <p className="muted">Near names:</p>
          <ul>
            {near.map((name) => (
              <li key={name}>{parseWorkloadId(name) ? <WorkloadLink id={name}>{name}</WorkloadLink> : name}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const HOUR_MS = 3_600_000

/** The last hour in which it reported, and the way there. */
function LastSeen({ endMs }: { readonly endMs: number }) {
  const { tz } = useScope()
  const hour = { from: isoInstant(endMs - HOUR_MS), to: isoInstant(endMs) }
  return (
    <p>
      Last seen {stretch(endMs - HOUR_MS, endMs, tz)}.{' '}
      <Link to="." search={(previous: SearchText) => ({ ...previous, ...hour, asof: undefined })}>
        Show that hour
      </Link>
    </p>
  )
}
