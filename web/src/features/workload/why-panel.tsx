import type { Evidence, Suspect, Suspects } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { suspectsQuery } from '../../api/queries.ts'
import { nameInSentence, parseEdgeId, shortName } from '../../format/workload-name.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Metric } from '../../ui/metric.tsx'
import { OwnBar } from '../../ui/own-bar.tsx'

/** The argument: what was looked for, what was found, what was not, and where the time went. */
export function WhyPanel({ focus, suspect }: { readonly focus: string; readonly suspect: Suspect }) {
  const argument = useQuery(suspectsQuery(focus, useAsking()))
  const panel = useRef<HTMLElement>(null)
  const { hash } = useLocation()
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
        <ul className="evidence">
          {suspect.evidence.map((evidence) => (
            <EvidenceItem key={evidence.name} evidence={evidence} />
          ))}
        </ul>
        {argument.data && <Shares argument={argument.data} suspect={suspect.id} />}
      </div>
    </section>
  )
}

function EvidenceItem({ evidence: { answer, text } }: { readonly evidence: Evidence }) {
  const [sign, word] = answer === null ? ['?', 'unknown'] : answer ? ['✓', 'found'] : ['', 'looked for, not found']
  return (
    <li data-answer={String(answer)}>
      <span className="evidence-sign" aria-hidden="true">
        {sign}
      </span>
      <span>
        <span className="sr-only">{word}: </span>
        {text}
      </span>
    </li>
  )
}

function Shares({ argument, suspect }: { readonly argument: Suspects; readonly suspect: string }) {
  const { contributions, cleared, cannotJudge } = argument
  return (
    <div className="shares">
      {contributions.length > 0 && (
        <>
          <h3>Where the added time is</h3>
          <ul>
            {contributions.map(({ id, kind, seconds, share }) => (
              <li key={`${kind} ${id}`}>
                <span className="shares-name">
                  {kind === 'unexplained' ? (
                    'unexplained'
                  ) : parseEdgeId(id) ? (
                    `on ${nameInSentence(id)}`
                  ) : (
                    <WorkloadLink id={id} />
                  )}
                </span>
                <Metric kind="latencyDelta" value={seconds} label="added" />
                <OwnBar share={share} strong={id === suspect} />
              </li>
            ))}
          </ul>
        </>
      )}
      {cleared.length > 0 && <p className="muted">Cleared: {cleared.map(shortName).join(', ')}</p>}
      {cannotJudge.length > 0 && (
        <p className="muted">
          Cannot judge: {cannotJudge.map(({ id, why }) => `${shortName(id)} (${why})`).join(', ')}
        </p>
      )}
    </div>
  )
}
