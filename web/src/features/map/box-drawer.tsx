import { meanReading, rateReading, viewAge, viewOf } from '../../answers/edge-reading.ts'
import { StatusGlyph } from '../../answers/status-glyph.tsx'
import { plural } from '../../format/age.ts'
import { nameInSentence, shortName } from '../../format/workload-name.ts'
import { Metric } from '../../ui/metric.tsx'
import { CloseButton, Ends } from './drawer-parts.tsx'
import type { DrawnEdge, DrawnNode } from './drawn.ts'
import { inTroubleOf } from './groups.ts'
import type { Picture } from './picture.ts'

/** Of one list: more are counted. */
const MOST_LISTED = 40

interface BoxDrawerProps {
  readonly drawn: DrawnNode
  readonly picture: Picture
  readonly select: (id: string) => void
}

/** A namespace or cluster: who is in it, the cause and the worst first, and what it calls as a whole. */
export function BoxDrawer({ drawn: { id, members }, picture, select }: BoxDrawerProps) {
  const troubled = inTroubleOf(members)
  return (
    <aside className="map-drawer panel" aria-label={id}>
      <CloseButton select={select} />
      <h2>{id}</h2>
      <p>
        {plural(members.length, 'workload')}, {troubled === 0 ? 'none' : troubled} in trouble
      </p>
      <ul className="map-ends">
        {members.slice(0, MOST_LISTED).map(({ id: member, workload }) => (
          <li key={member}>
            {workload && <StatusGlyph workload={workload} />}
            <button type="button" className="map-end" onClick={() => select(member)}>
              {shortName(member)}
            </button>
            {workload && (
              <Metric
                kind="latency"
                value={workload.now.latencySeconds.p99}
                truth={workload.truths.p99}
                ageSeconds={workload.ageSeconds}
                label="p99"
              />
            )}
          </li>
        ))}
      </ul>
      {members.length > MOST_LISTED && <p className="muted">and {members.length - MOST_LISTED} more</p>}
      <Ends title="Called by" edges={picture.edges.filter(({ edge }) => edge.to === id)} end="from" select={select} />
      <Ends title="Calls" edges={picture.edges.filter(({ edge }) => edge.from === id)} end="to" select={select} />
    </aside>
  )
}

interface CallsDrawerProps {
  readonly selected: string
  readonly calls: readonly DrawnEdge[]
  readonly select: (id: string) => void
}

const RANK = { crit: 0, warn: 1, ok: 2, none: 3 } as const

/** The calls that one line stands for, the worst first. */
export function CallsDrawer({ selected, calls, select }: CallsDrawerProps) {
  const sorted = [...calls].sort((a, b) => Number(b.onPath) - Number(a.onPath) || RANK[a.health] - RANK[b.health])
  return (
    <aside className="map-drawer panel" aria-label={`Calls of ${nameInSentence(selected)}`}>
      <CloseButton select={select} />
      <h2>{plural(calls.length, 'call')} in one line</h2>
      <ul className="map-ends">
        {sorted.slice(0, MOST_LISTED).map(({ edge }) => (
          <li key={`${edge.from}~${edge.to} ${edge.destination ?? ''}`}>
            <button type="button" className="map-end" onClick={() => select(`${edge.from}~${edge.to}`)}>
              {shortName(edge.from)} to {shortName(edge.to)}
            </button>
            <Metric {...rateReading(viewOf(edge), viewAge(edge))} />
            <Metric {...meanReading(viewOf(edge), viewAge(edge))} compact />
          </li>
        ))}
      </ul>
      {calls.length > MOST_LISTED && <p className="muted">and {calls.length - MOST_LISTED} more</p>}
    </aside>
  )
}
