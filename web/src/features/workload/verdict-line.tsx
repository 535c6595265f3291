import type { Suspect, WorkloadDetail } from '@goldseam/server/contract'
import { Fragment } from 'react'
import { clock, instant } from '../../format/clock.ts'
import { lastName, parseEdgeId, parseWorkloadId } from '../../format/workload-name.ts'
import { useScope } from '../../scope/use-scope.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Glyph, type Mark } from '../../ui/glyph.tsx'
import { type VerdictTone, workloadVerdict } from './workload-verdict.ts'

const MARKS: Record<VerdictTone, Mark> = {
  quiet: 'ok',
  elsewhere: 'critVia',
  itself: 'crit',
  unknown: 'unknown',
  none: 'none',
}

export function VerdictLine({ detail }: { readonly detail: WorkloadDetail }) {
  const { tz } = useScope()
  const { tone, text } = workloadVerdict(detail)
  const suspect = detail.suspects[0]
  return (
    <div className="workload-verdict" data-tone={tone}>
      <Glyph mark={MARKS[tone]} size={14} />
      <p>{text}</p>
      {suspect && suspect.path.length > 1 && <Path suspect={suspect} />}
      {suspect && (
        <p className="muted workload-verdict-facts">
          {suspect.onset && <span title={instant(suspect.onset)}>since {clock(suspect.onset, tz)}</span>}
          <span>confidence: {suspect.word}</span>
          <a href="#why">why?</a>
        </p>
      )}
    </div>
  )
}

/** The way the trouble travels: single line inside a cluster, gold double rail across the seam. */
function Path({ suspect }: { readonly suspect: Suspect }) {
  return (
    <span className="path">
      {suspect.path.map((id, index) => {
        const before = suspect.path[index - 1]
        const target = parseEdgeId(id)?.to ?? id
        const seam = before !== undefined && parseWorkloadId(before)?.cluster !== parseWorkloadId(target)?.cluster
        return (
          <Fragment key={id}>
            {before !== undefined && (
              <span className={seam ? 'path-seam' : 'path-call'}>
                <span className="sr-only">{seam ? 'across the seam calls' : 'calls'}</span>
              </span>
            )}
            <WorkloadLink id={id}>{lastName(target)}</WorkloadLink>
          </Fragment>
        )
      })}
    </span>
  )
}
