import type { Suspects } from '@goldseam/server/contract'
import { nameInSentence, namesApart, parseEdgeId } from '../../format/workload-name.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'

interface ClearedProps {
  readonly answer: Suspects
  readonly ruledOut: readonly string[]
  readonly takeBack: (id: string) => void
}

/** Whom nobody has to check again, and whom nobody can check. */
export function Cleared({
  answer: { cleared, cannotJudge, suspects, contributions },
  ruledOut,
  takeBack,
}: ClearedProps) {
  const workloads = cleared.filter((id) => parseEdgeId(id) === null)
  // Of two that are called alike one is often cleared and the other is not.
  const named = suspects.flatMap(({ id, victims }) => [id, ...victims])
  const beside = [...named, ...contributions.map(({ id }) => id)]
  const ways = cleared.length - workloads.length
  if (cleared.length + cannotJudge.length + ruledOut.length === 0) return null
  return (
    <section className="panel triage-cleared" aria-label="Cleared and not to be judged">
      {cleared.length > 0 && (
        <p>
          <span className="muted">Cleared, each under 10 % of it:</span> {namesApart(workloads, beside).join(', ')}
          {ways > 0 && ` ${workloads.length > 0 ? 'and ' : ''}${ways} calls between them`}
        </p>
      )}
      {cannotJudge.map(({ id, why }) => (
        <p key={id}>
          <span className="muted">Cannot judge:</span> {parseEdgeId(id) ? nameInSentence(id) : <WorkloadLink id={id} />}{' '}
          ({why})
        </p>
      ))}
      {ruledOut.map((id) => (
        <p key={id} className="triage-ruled-out">
          <span className="muted">Ruled out in this view:</span> <WorkloadLink id={id} />{' '}
          <button type="button" className="button no-print" onClick={() => takeBack(id)}>
            Take back
          </button>
        </p>
      ))}
    </section>
  )
}
