import { createDirector, type Director } from './director.ts'
import { createLoadRecorder, type LoadRecorder } from './load/counts.ts'
import { type Crowds, createCrowds } from './load/crowds.ts'
import type { PhasePlan, Scenario } from './scenarios/scenario.ts'
import { loopback } from './transport/loopback.ts'
import { startProbes } from './world/probes.ts'
import type { World } from './world/world.ts'

/** The live world with its load, its phases and the lists of what there is to scrape. */
export interface Stage {
  readonly director: Director
  readonly recorder: LoadRecorder
  readonly crowds: Crowds
  close(): Promise<void>
}

const TICK_MS = 250

export async function openStage(options: {
  scenario: Scenario
  world: World
  timerOn: boolean
  /** Tells Prometheus which pods there are now. */
  publishTargets: () => Promise<void>
  onPhase: (phase: PhasePlan, loop: number) => void
}): Promise<Stage> {
  const { scenario, world } = options
  const recorder = createLoadRecorder()
  const crowds = createCrowds(loopback, scenario, world, recorder)
  const director = createDirector({
    phases: scenario.phases,
    timerOn: options.timerOn,
    nowSeconds: () => Date.now() / 1000,
    setUsers: (users) => crowds.setUsers(users),
    async enter(phase, loop) {
      await world.apply(phase)
      recorder.beginPhase(phase.name)
      await options.publishTargets()
      options.onPhase(phase, loop)
    },
  })

  await options.publishTargets()
  const first = director.state().phase
  recorder.beginPhase(first.name)
  crowds.start(first.users[0]?.users ?? 0)
  const probes = startProbes(() => world.allPods())
  const ticking = setInterval(() => void director.tick(), TICK_MS)
  const counting = setInterval(() => recorder.tick(), 1000)
  return {
    director,
    recorder,
    crowds,
    async close() {
      clearInterval(ticking)
      clearInterval(counting)
      probes.stop()
      crowds.setUsers(0)
      await world.close()
    },
  }
}
