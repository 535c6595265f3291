import type { Suspect } from '@goldseam/server/contract'
import { Link } from '@tanstack/react-router'
import { clock, instant } from '../../format/clock.ts'
import { lastName, nameInSentence, parseWorkloadId } from '../../format/workload-name.ts'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { useScope } from '../../scope/use-scope.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'

const MOST_VICTIMS = 5

/** Under the culprit: whom it hurts, what gives it away, since when, and where the argument stands. */
export function SuspectLine({ suspect }: { readonly suspect: Suspect }) {
  const { tz } = useScope()
  const { victims, hints, onset, own, id } = suspect
  const rest = victims.length - MOST_VICTIMS
  const names = namesAmong(victims)
  return (
    <div className="suspect-line">
      {victims.length > 0 && (
        <span className="suspect-hurts">
          <span className="muted">hurts</span>
          {victims.slice(0, MOST_VICTIMS).map((victim, index) => (
            <WorkloadLink key={victim} id={victim}>
              {names[index]}
            </WorkloadLink>
          ))}
          {rest > 0 && <span className="muted">and {rest} more</span>}
        </span>
      )}
      {hints.map((hint) => (
        <span key={hint} className="chip" title={arithmetic(hint, suspect)}>
          {hint}
        </span>
      ))}
      {onset && (
        <span className="muted" title={instant(onset)}>
          since {clock(onset, tz)}
        </span>
      )}
      <WorkloadLink id={own.of ?? id} hash="why" className="suspect-why">
        why<span className="sr-only"> is {nameInSentence(id)} the suspect</span>
      </WorkloadLink>
      <Link to="/map" search={(before: SearchText) => ({ ...keepScope(before), sel: id })}>
        path<span className="sr-only"> of {nameInSentence(id)} on the map</span>
      </Link>
    </div>
  )
}

const HINTS: readonly (readonly [string, string])[] = [
  ['in-flight', 'queueing'],
  ['rps stuck', 'queueing'],
  ['about one request', 'oneAtATime'],
]

/** What a chip is short for: the evidence it was taken from, with its numbers. */
function arithmetic(hint: string, { evidence }: Suspect): string | undefined {
  const name = HINTS.find(([start]) => hint.startsWith(start))?.[1] ?? 'scaling'
  return evidence.find((item) => item.name === name)?.text
}

/** As short as tells them apart: two ingresses are often called the same. */
export function namesAmong(ids: readonly string[]): string[] {
  return ids.map((id) => {
    const name = lastName(id)
    const alike = ids.filter((other) => lastName(other) === name)
    const cluster = parseWorkloadId(id)?.cluster
    if (alike.length < 2 || cluster === undefined) return name
    const here = alike.filter((other) => parseWorkloadId(other)?.cluster === cluster)
    return here.length < 2 ? `${name} (${cluster})` : nameInSentence(id)
  })
}
