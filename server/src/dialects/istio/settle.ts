import { workloadId } from '../../domain/identity.ts'
import { emptyObservation, type Observation, type Outbound } from '../../domain/observation.ts'
import { isCounted } from '../../domain/traffic.ts'

export type Reporter = 'source' | 'destination' | 'waypoint'
export type Views = Readonly<Record<Reporter, Observation>>

/**
 * Who is believed about what a workload answers: its own sidecar sees every caller, a waypoint those that pass it, and
 * where there is neither its callers tell.
 */
const ABOUT_CALLEES: readonly Reporter[] = ['destination', 'waypoint', 'source']
/** And about calls: the caller's own proxy, which also sees what never arrived. */
const ABOUT_CALLS: readonly Reporter[] = ['source', 'waypoint', 'destination']

/** One picture out of the reporters' views: of what several report one is taken, never a sum. */
export function settle(cluster: string, steps: number, views: Views): Observation {
  const settled = emptyObservation(cluster, steps, 'istio')
  for (const reporter of ABOUT_CALLEES) {
    const view = views[reporter]
    for (const [id, inbound] of view.inbound) {
      const known = settled.inbound.get(id)
      const better = known === undefined || (!isCounted(known.total) && isCounted(inbound.total))
      const tcp = known?.tcp ?? inbound.tcp
      const assumed = !views.destination.inbound.has(id) && !views.source.inbound.has(id)
      if (better) settled.inbound.set(id, { ...inbound, tcp, ...(assumed ? { assumed } : {}) })
      else known.tcp = tcp
      if (better) copySignals(view, settled, id)
    }
    for (const [id, pods] of view.pods) settled.pods.set(id, pods)
  }
  const told = new Map<string, Reporter>()
  const toldOf = new Map<string, Reporter>()
  for (const reporter of ABOUT_CALLS) {
    const view = views[reporter]
    for (const [key, flow] of view.outbound) {
      if (isCounted(flow.traffic)) {
        const about = aboutOf(flow)
        const by = [toldOf.get(key), ...about.map((one) => told.get(one))]
        if (by.some((other) => other !== undefined && other !== reporter)) continue
        toldOf.set(key, reporter)
        for (const one of about) told.set(one, reporter)
      } else if (settled.outbound.has(key)) {
        const known = settled.outbound.get(key)
        if (known !== undefined) known.tcp ??= flow.tcp
        continue
      }
      const tcp = settled.outbound.get(key)?.tcp ?? flow.tcp
      settled.outbound.set(key, { ...flow, tcp })
      copySignals(view, settled, key)
    }
  }
  return settled
}

/**
 * The same caller and service, however well a reporter knows which workload answered. Where several services select one
 * workload the callee knows it by one of them, whichever was called: that it is the same call is told by its ends.
 */
function aboutOf({ from, destination, clues }: Outbound): string[] {
  const callee = destination.kind === 'workload' ? workloadId(destination.workload) : ''
  return (clues.hosts.size > 0 ? [...clues.hosts] : [callee]).map((name) => `${workloadId(from)} ${name}`)
}

function copySignals(from: Observation, to: Observation, key: string): void {
  const signals = from.signals.get(key)
  if (signals !== undefined) to.signals.set(key, signals)
}
