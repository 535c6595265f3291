import type { WorkloadGroup } from '../contract/index.ts'
import type { WorkloadGroup as Summed } from '../domain/group.ts'
import { localName } from '../domain/identity.ts'

export function presentGroup({ ref, members, reading, lostBounds, ageSeconds }: Summed): WorkloadGroup {
  return {
    namespace: ref.namespace,
    kind: ref.kind,
    name: localName({ ...ref, cluster: '' }),
    clusters: members.map((member) => member.ref.cluster),
    ids: members.map(({ id }) => id),
    truth: reading.truth,
    truths: reading.truths,
    bounds: reading.bounds,
    now: reading.golden,
    lostBoundsSeconds: [...lostBounds],
    ageSeconds,
  }
}
