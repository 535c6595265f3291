import type { Suspect } from '@goldseam/server/contract'
import { contributed } from '../../answers/contributed.ts'
import { EvidenceList } from '../../answers/evidence-list.tsx'
import { clock, instant } from '../../format/clock.ts'
import { printed } from '../../format/quantity.ts'
import { share } from '../../format/ratio.ts'
import { nameInSentence, namesApart, shortName } from '../../format/workload-name.ts'
import { useReadersZone } from '../../scope/spoken-times.ts'
import { SuspectPath } from '../../scope/suspect-path.tsx'
import { useScope } from '../../scope/use-scope.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import { OwnBar } from '../../ui/own-bar.tsx'
import { NextSteps } from './next-steps.tsx'
import { OtherBaseline } from './other-baseline.tsx'

interface SuspectCardProps {
  readonly suspect: Suspect
  readonly rank: number
  /** Shares no path with the first: another problem. */
  readonly separate: boolean
  /** Entry points in trouble, all problems together. */
  readonly entries: number
  readonly ruleOut: () => void
}

export function SuspectCard({ suspect, rank, separate, entries, ruleOut }: SuspectCardProps) {
  const { tz } = useScope()
  const say = useReadersZone()
  const { id, own, word, trouble, onset, victims, evidence, wouldClear, alike = [] } = suspect
  const title = `suspect-${rank}`
  return (
    <section className="panel suspect" aria-labelledby={title}>
      <header className="suspect-head">
        <span className="suspect-rank">{rank}</span>
        <Glyph mark={rank === 1 ? 'crit' : 'warn'} size={16} label={rank === 1 ? 'Prime suspect' : 'Suspect'} />
        <h2 id={title}>
          <WorkloadLink id={id}>{nameInSentence(id)}</WorkloadLink>
        </h2>
        <span className="suspect-word">confidence: {word}</span>
        {onset && <span title={instant(onset)}>since {clock(onset, tz)}</span>}
        {separate && <span className="muted">another problem: no path in common with the first</span>}
        <button type="button" className="button suspect-not no-print" onClick={ruleOut}>
          Not it
        </button>
      </header>
      <div className="suspect-body">
        <div className="suspect-own">
          <Metric
            kind={trouble === 'latency' ? 'latencyDelta' : 'rate'}
            value={contributed(suspect)}
            label="own part"
          />
          <OwnBar share={own.share} strong />
          <Metric kind="share" value={own.share} label="share" />
          {own.of !== null && <span className="muted">of what {shortName(own.of)} gained</span>}
        </div>
        <FeltAt suspect={suspect} entries={entries} />
        {alike.length > 0 && (
          <p className="suspect-fact">
            <span className="muted">not to be told from</span> <Names ids={alike} />
          </p>
        )}
        {suspect.path.length > 1 && (
          <p className="suspect-fact">
            <span className="muted">way</span> <SuspectPath suspect={suspect} />
          </p>
        )}
        <EvidenceList evidence={evidence} say={say} />
        {victims.length > 0 && (
          <p className="suspect-fact">
            <span className="muted">hurts</span> <Names ids={victims} />
          </p>
        )}
        {wouldClear.length > 0 && (
          <div className="suspect-fact">
            <span className="muted">would clear it</span>
            <ul>
              {wouldClear.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </div>
        )}
        <OtherBaseline />
        <NextSteps id={id} />
      </div>
    </section>
  )
}

/** How much of the trouble it explains, and where that is felt. */
function FeltAt({ suspect, entries }: { readonly suspect: Suspect; readonly entries: number }) {
  const { feltAt = [], trouble } = suspect
  if (feltAt.length === 0) return null
  const shares = feltAt.map(({ share }) => share)
  const [least, most] = [Math.min(...shares), Math.max(...shares)]
  return (
    <p className="suspect-fact">
      <span>
        explains {Math.round(least * 100) === Math.round(most * 100) ? '' : `${printed(share(least))} to `}
        {printed(share(most))} of the {trouble === 'latency' ? 'slowdown' : 'failures'} at {feltAt.length} of{' '}
        {Math.max(entries, feltAt.length)} entry points:
      </span>{' '}
      <Names ids={feltAt.map((one) => one.id)} />
    </p>
  )
}

const MOST_NAMES = 12

function Names({ ids }: { readonly ids: readonly string[] }) {
  const more = ids.length - MOST_NAMES
  const names = namesApart(ids)
  return (
    <span className="suspect-names">
      {ids.slice(0, MOST_NAMES).map((id, index) => (
        <WorkloadLink key={id} id={id}>
          {names[index]}
        </WorkloadLink>
      ))}
      {more > 0 && <span className="muted">and {more} more</span>}
    </span>
  )
}
