import './workload-tabs.css'
import type { WorkloadDetail } from '@goldseam/server/contract'
import { type ReactNode, useRef } from 'react'
import { useChangeSearch, useFields } from '../../scope/use-scope.ts'
import { CallersTable } from './callers-table.tsx'
import { EventsTab } from './events-tab.tsx'
import { HeatmapTab } from './heatmap-tab.tsx'
import { IntervalsTab } from './intervals-tab.tsx'
import { PodsTab } from './pods-tab.tsx'
import { QueriesTab } from './queries-tab.tsx'
import { TABS, type Tab, tabFields } from './tree-search.ts'

const TITLES: Record<Tab, string> = {
  deps: 'Dependencies',
  callers: 'Called by',
  pods: 'Pods',
  latency: 'Latency heatmap',
  log: 'Interval log',
  events: 'Events',
  queries: 'Queries',
}

interface WorkloadTabsProps {
  readonly detail: WorkloadDetail
  /** What stands under "Dependencies". */
  readonly children: ReactNode
}

/** The parts of the page, one at a time; each is asked for when it is opened. */
export function WorkloadTabs({ detail, children }: WorkloadTabsProps) {
  const { tab } = useFields(tabFields)
  const change = useChangeSearch()
  const list = useRef<HTMLDivElement>(null)
  const open = (next: Tab) => change({ tab: next === 'deps' ? undefined : next }, { replace: true })
  function move(by: number) {
    const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length] ?? 'deps'
    open(next)
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
  }
  return (
    <>
      <div
        className="tabs no-print"
        role="tablist"
        aria-label="Parts of this page"
        ref={list}
        onKeyDown={({ key }) => {
          if (key === 'ArrowRight') move(1)
          if (key === 'ArrowLeft') move(-1)
        }}
      >
        {TABS.map((name) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            className="tab"
            aria-selected={tab === name}
            aria-controls="tab-panel"
            tabIndex={tab === name ? 0 : -1}
            onClick={() => open(name)}
          >
            {TITLES[name]}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} className="tab-panel">
        {tab === 'deps' ? children : <Part tab={tab} detail={detail} />}
      </div>
    </>
  )
}

function Part({ tab, detail }: { readonly tab: Tab; readonly detail: WorkloadDetail }) {
  const { workload } = detail
  const { id, cluster, namespace } = workload
  const address = { cluster, namespace, name: id.split('/').slice(2).join('/') }
  switch (tab) {
    case 'callers':
      return <CallersTable callers={detail.callers} />
    case 'pods':
      return <PodsTab address={address} id={id} />
    case 'latency':
      return <HeatmapTab address={address} />
    case 'log':
      return <IntervalsTab address={address} />
    case 'events':
      return <EventsTab address={address} />
    case 'queries':
      return <QueriesTab address={address} />
    default:
      return null
  }
}
