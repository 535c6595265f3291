import type { Alert } from '@goldseam/server/contract'
import { AlertList } from '../../answers/alert-list.tsx'
import { useScope } from '../../scope/use-scope.ts'

/** What its cluster's own Prometheus has to say of it; nothing where nothing fires. */
export function WorkloadAlerts({ alerts }: { readonly alerts: readonly Alert[] }) {
  const { tz } = useScope()
  if (alerts.length === 0) return null
  return (
    <section className="panel alerts-panel" aria-labelledby="alerts-title">
      <div className="panel-head">
        <h2 id="alerts-title">Firing alerts</h2>
        <span className="muted">of its cluster's Prometheus</span>
      </div>
      <AlertList alerts={alerts} tz={tz} />
    </section>
  )
}
