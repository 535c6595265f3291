import type { Alert, Alerts } from '../contract/index.ts'
import type { JoinedAlert } from '../domain/alerts.ts'
import type { Snapshot } from '../federation/snapshot.ts'
import { timeOrNull } from './present-golden.ts'
import { presentHead } from './present-head.ts'

export function presentAlert({ sinceSeconds, labels, ...alert }: JoinedAlert): Alert {
  return { ...alert, since: timeOrNull(sinceSeconds), labels: { ...labels } }
}

/** Everything that fires, and whose word is missing. */
export function alertsOf(taken: Snapshot): Alerts {
  const { situation } = taken
  return {
    ...presentHead(taken),
    alerts: situation.alerts.map(presentAlert),
    sources: [...situation.clusters.values()].map(({ name, surroundings }) => {
      const told = surroundings?.alerts?.told
      return { cluster: name, state: told === undefined ? 'unknown' : told ? 'told' : 'none' }
    }),
  }
}
