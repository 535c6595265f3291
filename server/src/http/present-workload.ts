import type { Workload } from '../contract/index.ts'
import { localName } from '../domain/identity.ts'
import type { WorkloadRow } from '../domain/row.ts'
import { time, timeOrNull } from './present-golden.ts'

export function presentWorkload(row: WorkloadRow): Workload {
  const { workload, reading, own, trend } = row
  return {
    id: workload.id,
    cluster: workload.ref.cluster,
    namespace: workload.ref.namespace,
    kind: workload.ref.kind,
    name: localName(workload.ref),
    role: row.role,
    pods: workload.podsNow,
    truth: reading.truth,
    truths: reading.truths,
    bounds: reading.bounds,
    now: reading.golden,
    usual: row.usual,
    ageSeconds: workload.stale ? workload.ageSeconds : null,
    own: {
      seconds: own.seconds,
      lowSeconds: own.lowSeconds,
      highSeconds: own.highSeconds,
      of: own.of,
      share: own.share,
      ofSelf: own.ofSelf,
      reason: own.reason,
    },
    health: row.health,
    change: row.change,
    changeRatio: row.changeRatio,
    onset: timeOrNull(workload.trouble.onsetSeconds),
    suspectRank: row.suspectRank,
    via: row.via,
    notes: [...row.notes],
    trend: {
      from: time(trend.fromSeconds),
      stepSeconds: trend.stepSeconds,
      p99Seconds: [...trend.p99Seconds],
      requestsPerSecond: [...trend.requestsPerSecond],
      usualP99Seconds: trend.usualP99Seconds,
    },
  }
}
