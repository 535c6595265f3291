import type { Evidence } from './evidence-item.ts'
import { parseWorkloadId } from './identity.ts'
import { clock } from './phrase.ts'
import type { Situation } from './situation.ts'

const MOST_NAMED = 3

/** Whether the cluster's own Prometheus has something to say of a workload. */
export function alertsEvidence({ alerts, clusters }: Situation, id: string): Evidence {
  const mine = alerts.filter(({ workload }) => workload === id)
  if (mine.length > 0) {
    const named = mine.slice(0, MOST_NAMED).map(({ name, sinceSeconds }) => {
      return sinceSeconds === null ? name : `${name} since ${clock(sinceSeconds)} UTC`
    })
    const more = mine.length > MOST_NAMED ? ` and ${mine.length - MOST_NAMED} more` : ''
    return { name: 'alerts', answer: true, text: `firing for it: ${named.join(', ')}${more}` }
  }
  const cluster = parseWorkloadId(id)?.cluster ?? ''
  const told = clusters.get(cluster)?.surroundings?.alerts
  if (!told) return { name: 'alerts', answer: null, text: `alerts of ${cluster} are not known` }
  if (!told.told) return { name: 'alerts', answer: null, text: `the endpoint of ${cluster} evaluates no alerts` }
  const elsewhere = alerts.length === 0 ? '' : `; ${alerts.length} elsewhere`
  return { name: 'alerts', answer: false, text: `no alert fires for it${elsewhere}` }
}
