import { useQuery } from '@tanstack/react-query'
import type { WorkloadAddress } from '../../api/queries.ts'
import { eventsQuery } from '../../api/workload-parts.ts'
import { instant } from '../../format/clock.ts'
import { momentsIn } from '../../format/stretch.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { useScope } from '../../scope/use-scope.ts'
import { useWindow } from '../../scope/use-window.ts'
import { EVENT_WORDS } from './event-marks.ts'
import { PartPanel } from './part-panel.tsx'

/** What happened to its pods, newest first; and what could not be looked for. */
export function EventsTab({ address }: { readonly address: WorkloadAddress }) {
  const query = useQuery(eventsQuery(address, useAsking()))
  const { tz } = useScope()
  const { fromMs, toMs } = useWindow()
  const moment = momentsIn(fromMs, toMs, tz)
  return (
    <PartPanel
      title="Events"
      about="pods that came, went, restarted or were scaled in this window"
      query={query}
      download={{
        file: 'goldseam-events',
        table: ({ events }) => ({
          head: ['time', 'kind', 'text'],
          rows: events.map(({ at, kind, text }) => [at, kind, text]),
        }),
      }}
    >
      {({ events, missing }) => (
        <>
          {events.length === 0 && <p>Nothing happened to its pods in this window.</p>}
          <ul className="events-list">
            {events.map(({ at, kind, text }) => (
              <li key={`${at} ${text}`}>
                <span className="muted" title={instant(at)}>
                  {moment(Date.parse(at), true)}
                </span>
                <span>{EVENT_WORDS[kind]}</span>
                <span>{text}</span>
              </li>
            ))}
          </ul>
          {missing.map((text) => (
            <p key={text} className="muted">
              Not looked for: {text}.
            </p>
          ))}
        </>
      )}
    </PartPanel>
  )
}
