import type { WorkloadGroup } from '../contract/index.ts'
import type { WorkloadGroup as Summed } from '../domain/group.ts'

export function presentGroup(group: Summed): WorkloadGroup {
  const { title, ref, members, reading, lostBounds, ageSeconds, absent } = group
  return {
    namespace: ref.namespace,
    kind: ref.kind,
    name: title ?? ref.name,
    by: title === null ? 'name' : 'config',
    clusters: [...new Set(members.map((member) => member.ref.cluster))],
    ids: members.map(({ id }) => id),
    absent: [...absent],
    truth: reading.truth,
    truths: reading.truths,
    bounds: reading.bounds,
    now: reading.golden,
    lostBoundsSeconds: [...lostBounds],
    ageSeconds,
  }
}
