import type { WorkloadDetail } from '@goldseam/server/contract'
import { Link } from '@tanstack/react-router'
import { instant } from '../../format/clock.ts'
import { seenFrom } from '../../format/stretch.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { useReadersZone } from '../../scope/spoken-times.ts'
import { SuspectPath } from '../../scope/suspect-path.tsx'
import { useScope } from '../../scope/use-scope.ts'
import { Glyph, type Mark } from '../../ui/glyph.tsx'
import { LastTraffic } from './last-traffic.tsx'
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
  const say = useReadersZone()
  const { tone, text } = workloadVerdict(detail)
  const nowMs = Date.parse(detail.snapshot.at)
  const suspect = tone === 'unknown' ? undefined : detail.suspects[0]
  return (
    <div className="workload-verdict" data-tone={tone}>
      <Glyph mark={MARKS[tone]} size={14} />
      <p>{say(text)}</p>
      {detail.workload.truth === 'noTraffic' && <LastTraffic detail={detail} />}
      {suspect && suspect.path.length > 1 && <SuspectPath suspect={suspect} />}
      {suspect && (
        <p className="muted workload-verdict-facts">
          {suspect.onset && (
            <span title={instant(suspect.onset)}>since {seenFrom(nowMs, Date.parse(suspect.onset), tz)}</span>
          )}
          <span>confidence: {suspect.word}</span>
          <Link
            to="."
            search={(previous: SearchText) => ({ ...previous, panel: 'suspects' })}
            resetScroll={false}
            title="The whole argument, beside this page"
          >
            why?
          </Link>
        </p>
      )}
    </div>
  )
}
