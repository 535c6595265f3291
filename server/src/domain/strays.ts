import type { ClusterView } from './assess.ts'
import type { Observation } from './observation.ts'
import { isElsewhere } from './stitch/assumed-target.ts'
import type { World } from './stitch/types.ts'

/** Leaves out workloads that a cluster's waypoints place in it and that are in another: nothing of that name runs there. */
export function withoutStrays(views: readonly ClusterView[], world: World): readonly ClusterView[] {
  const strays = new Set([...world.workloads.keys()].filter((id) => isElsewhere(id, world)))
  if (strays.size === 0) return views
  const without = (observation: Observation | null) =>
    observation === null
      ? null
      : { ...observation, inbound: new Map([...observation.inbound].filter(([id]) => !strays.has(id))) }
  return views.map((view) => ({ ...view, now: without(view.now), history: without(view.history) }))
}
