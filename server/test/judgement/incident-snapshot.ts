import { judge } from '../../src/domain/suspects.ts'
import { verdictOf } from '../../src/domain/verdict.ts'
import type { Snapshot } from '../../src/federation/snapshot.ts'
import { AT, type Given, situationIn } from './incident-world.ts'

/** What the engine would hand out in the middle of an incident. */
export function snapshotOf(given: Given): Snapshot {
  const situation = situationIn(given)
  const judgement = judge(situation)
  const summary = { percentilesAgeSeconds: null, reason: null, workloads: 2, dialects: [], speaks: [] }
  return {
    id: 's',
    atSeconds: AT,
    windowSeconds: 60,
    refreshSeconds: 10,
    clusters: [...situation.clusters.values()].map(({ name, state, ageSeconds }) => ({
      ...summary,
      name,
      state: state === 'current' ? 'ok' : 'stale',
      ageSeconds,
    })),
    gaps: [],
    situation,
    judgement,
    watch: null,
    verdict: verdictOf(situation, judgement),
  }
}
