import type { Suspect } from '@goldseam/server/contract'
import { instant } from '../../format/clock.ts'
import { momentsIn } from '../../format/stretch.ts'
import { namesApart, shortName } from '../../format/workload-name.ts'
import { useScope } from '../../scope/use-scope.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'

interface Lane {
  readonly id: string
  readonly onsetMs: number
  readonly suspect: boolean
}

const MOST_LANES = 14
/** Room before the first onset, so that one sees that it was calm. */
const LEAD = 0.12

/** Who moved first: one bar for everybody affected, from when it left its usual range until now. */
export function OnsetLanes({ suspects, at }: { readonly suspects: readonly Suspect[]; readonly at: string }) {
  const { tz } = useScope()
  const lanes = lanesOf(suspects)
  const [first] = lanes
  if (first === undefined) return null
  const endMs = Date.parse(at)
  const startMs = first.onsetMs - LEAD * Math.max(60_000, endMs - first.onsetMs)
  const moment = momentsIn(startMs, endMs, tz)
  const place = (ms: number) => `${Math.max(0, Math.min(100, (100 * (ms - startMs)) / (endMs - startMs)))}%`
  const shown = lanes.slice(0, MOST_LANES)
  const names = namesApart(shown.map(({ id }) => id))
  return (
    <section className="panel lanes" aria-labelledby="lanes-title">
      <div className="panel-head">
        <h2 id="lanes-title">Who moved first</h2>
        <span className="muted">
          {moment(startMs)} to {moment(endMs)}
          {lanes.length > shown.length && `, the first ${shown.length} of ${lanes.length}`}
        </span>
      </div>
      <ol>
        {shown.map(({ id, onsetMs, suspect }, index) => (
          <li key={id} data-suspect={suspect}>
            <span className="lanes-name">
              <WorkloadLink id={id}>{names[index]}</WorkloadLink>
            </span>
            <span className="lanes-track" aria-hidden="true">
              <span className="lanes-bar" style={{ left: place(onsetMs), right: 0 }} />
            </span>
            <span className="lanes-when" title={instant(onsetMs)}>
              {moment(onsetMs, true)}
              <span className="muted"> {after(onsetMs - first.onsetMs, shortName(first.id))}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function lanesOf(suspects: readonly Suspect[]): Lane[] {
  const named = new Set(suspects.map(({ id }) => id))
  const onsets = new Map<string, number>()
  for (const { timeline } of suspects) {
    for (const { id, onset } of timeline) if (onset !== null) onsets.set(id, Date.parse(onset))
  }
  return [...onsets]
    .map(([id, onsetMs]) => ({ id, onsetMs, suspect: named.has(id) }))
    .sort((a, b) => a.onsetMs - b.onsetMs || Number(b.suspect) - Number(a.suspect))
}

function after(ms: number, first: string): string {
  return ms === 0 ? '' : `${Math.round(ms / 1000)} s after ${first}`
}
