import { CAMPUS_CLUSTERS, CAMPUS_CULPRITS, createCampus } from './campus.ts'
import type { Scenario } from './scenario.ts'

interface ScenarioEntry {
  readonly name: string
  readonly culprits: readonly string[]
  readonly clusters: readonly string[]
  create(culprit: string | undefined): Scenario
}

export const SCENARIOS: readonly ScenarioEntry[] = [
  {
    name: 'campus',
    culprits: CAMPUS_CULPRITS,
    clusters: CAMPUS_CLUSTERS,
    create: (culprit) => createCampus(CAMPUS_CULPRITS.find((known) => known === culprit) ?? CAMPUS_CULPRITS[0]),
  },
]
