import type { Alerts } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { AlertList } from '../../answers/alert-list.tsx'
import { alertsQuery } from '../../api/queries.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { useScope } from '../../scope/use-scope.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'

/** Everything that fires, those first that name a workload; and whose word is missing. */
export function FleetAlerts() {
  const { tz } = useScope()
  const { data } = useQuery(alertsQuery(useAsking()))
  if (!data) return null
  const sorted = [...data.alerts].sort((a, b) => Number(a.workload === null) - Number(b.workload === null))
  const untold = said(data)
  if (sorted.length === 0 && untold === '') return null
  return (
    <section className="panel alerts-panel" aria-labelledby="fleet-alerts-title">
      <div className="panel-head">
        <h2 id="fleet-alerts-title">Firing alerts</h2>
        <span className="muted">
          {sorted.length === 0 ? 'none' : `${sorted.length} in the clusters' own Prometheus`}
          {untold}
        </span>
      </div>
      {sorted.length > 0 && <AlertList alerts={sorted} tz={tz} linkTo={(id) => <WorkloadLink id={id} />} />}
    </section>
  )
}

function said({ sources }: Alerts): string {
  const names = sources.filter(({ state }) => state === 'unknown').map(({ cluster }) => cluster)
  return names.length === 0 ? '' : `; not known of ${names.join(', ')}`
}
