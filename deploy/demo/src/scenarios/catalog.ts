import { CAMPUS_CULPRITS, createCampus } from './campus.ts'
import type { Scenario } from './scenario.ts'

interface ScenarioEntry {
  readonly name: string
  readonly culprits: readonly string[]
  create(culprit: string | undefined): Scenario
}

export const SCENARIOS: readonly ScenarioEntry[] = [
  {
    name: 'campus',
    culprits: CAMPUS_CULPRITS,
    create: (culprit) => createCampus(CAMPUS_CULPRITS.find((known) => known === culprit) ?? CAMPUS_CULPRITS[0]),
  },
]
