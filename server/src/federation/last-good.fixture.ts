import { emptyObservation } from '../domain/observation.ts'
import type { LastGood } from './reading-view.ts'

/** What a cluster told at an instant (unix seconds), of a rate window of a minute. */
export function lastGoodAt(atSeconds: number): LastGood {
  return {
    atSeconds,
    windowSeconds: 60,
    observation: emptyObservation('east', 1),
    seriesRead: 7,
    scrapeIntervalSeconds: 15,
    inventory: null,
    kubeState: true,
    dialects: ['linkerd'],
  }
}
