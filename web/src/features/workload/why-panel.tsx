import type { Contribution, Suspect, Suspects } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { EvidenceList } from '../../answers/evidence-list.tsx'
import { suspectsQuery } from '../../api/queries.ts'
import { nameInSentence, parseEdgeId, shortName } from '../../format/workload-name.ts'
import { useReadersZone } from '../../scope/spoken-times.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Metric } from '../../ui/metric.tsx'
import { OwnBar } from '../../ui/own-bar.tsx'

/** The argument: what was looked for, what was found, what was not, and where the time went. */
export function WhyPanel({ focus, suspect }: { readonly focus: string; readonly suspect: Suspect }) {
  const argument = useQuery(suspectsQuery(focus, useAsking()))
  const panel = useRef<HTMLElement>(null)
  const { hash } = useLocation()
  const say = useReadersZone()
  useEffect(() => {
    // The link may be older than the data: the panel scrolls itself into view once it is there.
    if (hash === 'why') panel.current?.scrollIntoView?.({ block: 'start' })
  }, [hash])
  return (
    <section className="panel" id="why" ref={panel} aria-labelledby="why-title">
      <div className="panel-head">
        <h2 id="why-title">Why {nameInSentence(suspect.id)}</h2>
        <span className="muted">prime suspect, confidence: {suspect.word}</span>
      </div>
      <div className="why">
        <EvidenceList evidence={suspect.evidence} say={say} />
        {argument.data && <Shares argument={argument.data} suspect={suspect} />}
      </div>
    </section>
  )
}

function Shares({ argument, suspect }: { readonly argument: Suspects; readonly suspect: Suspect }) {
  const { cannotJudge } = argument
  const failures = suspect.trouble === 'failures'
  const kindOfPart = failures ? 'rate' : 'latencyDelta'
  const { told, rest } = worthTelling(argument.contributions)
  const cleared = argument.cleared.filter((id) => parseEdgeId(id) === null)
  const clearedCalls = argument.cleared.length - cleared.length
  return (
    <div className="shares">
      {told.length > 0 && (
        <>
          <h3>{failures ? 'Where the added failures are' : 'Where the added time is'}</h3>
          <ul>
            {told.map(({ id, kind, seconds, share }) => (
              <li key={`${kind} ${id}`}>
                <span className="shares-name">
                  {kind === 'unexplained' ? (
                    'unexplained'
                  ) : id.startsWith('beyond/') ? (
                    `beyond the seam to ${id.slice('beyond/'.length)}`
                  ) : parseEdgeId(id) ? (
                    `on ${nameInSentence(id)}`
                  ) : (
                    <WorkloadLink id={id} />
                  )}
                </span>
                <Metric kind={kindOfPart} value={seconds} label="added" />
                <OwnBar share={share} strong={id === suspect.id} />
              </li>
            ))}
            {rest !== null && (
              <li>
                <span className="shares-name muted">{rest.count} more, each below 1 %, together</span>
                <Metric kind={kindOfPart} value={rest.seconds} label="added by the rest" />
                <OwnBar share={rest.share} />
              </li>
            )}
          </ul>
        </>
      )}
      {cleared.length > 0 && (
        <p className="muted">
          Cleared: {cleared.map(shortName).join(', ')}
          {clearedCalls > 0 && ` and ${clearedCalls} calls between them`}
        </p>
      )}
      {cannotJudge.length > 0 && (
        <p className="muted">
          Cannot judge: {cannotJudge.map(({ id, why }) => `${shortName(id)} (${why})`).join(', ')}
        </p>
      )}
    </div>
  )
}

const LEAST_SHARE = 0.01

/** The parts that matter one by one, the others as one line, so that the list still adds up. */
function worthTelling(contributions: readonly Contribution[]): {
  told: readonly Contribution[]
  rest: { count: number; seconds: number; share: number } | null
} {
  const told = contributions.filter(({ share }) => Math.abs(share ?? 0) >= LEAST_SHARE)
  const others = contributions.filter((part) => !told.includes(part) && part.seconds !== 0)
  const sum = (pick: (part: Contribution) => number) => others.reduce((total, part) => total + pick(part), 0)
  const rest = { count: others.length, seconds: sum(({ seconds }) => seconds), share: sum(({ share }) => share ?? 0) }
  return { told, rest: others.length === 0 ? null : rest }
}
