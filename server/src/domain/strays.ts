import type { ClusterView } from './assess.ts'
import type { Observation } from './observation.ts'
import { isElsewhere } from './stitch/assumed-target.ts'
import type { World } from './stitch/types.ts'

/** Ids of workloads that a cluster's waypoints place in it and that are in another: nothing of that name runs there. */
export function straysIn(world: World): ReadonlySet<string> {
  const strays = new Set<string>()
  for (const { id, assumed } of world.workloads.values()) if (assumed && isElsewhere(id, world)) strays.add(id)
  return strays
}

export function withoutStrays(views: readonly ClusterView[], strays: ReadonlySet<string>): readonly ClusterView[] {
  if (strays.size === 0) return views
  const without = (observation: Observation | null) =>
    observation === null
      ? null
      : { ...observation, inbound: new Map([...observation.inbound].filter(([id]) => !strays.has(id))) }
  return views.map((view) => ({ ...view, now: without(view.now), history: without(view.history) }))
}
