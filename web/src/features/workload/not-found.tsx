import type { Problem } from '@goldseam/server/contract'
import { parseWorkloadId } from '../../format/workload-name.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'

/** The entity of the link is not there: the page stays, says so, and offers near names. It never shows another one instead. */
export function WorkloadNotFound({ id, problem }: { readonly id: string; readonly problem: Problem }) {
  const near = problem.near ?? []
  return (
    <section className="answer-problem" role="alert">
      <h2>{problem.title}</h2>
      <p>{problem.detail ?? `No series for ${id} in this window.`}</p>
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
