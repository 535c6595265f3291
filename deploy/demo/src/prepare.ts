import { setTimeout as sleep } from 'node:timers/promises'
import type { Pace } from './history/measure.ts'
import { calmUsers, rehearse } from './history/rehearsal.ts'
import { createCrowds } from './load/crowds.ts'
import type { Options } from './options.ts'
import { SCENARIOS } from './scenarios/catalog.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { loopback } from './transport/loopback.ts'
import { startWorld, type World } from './world/world.ts'

const WARM_UP_MS = 1500

export function createScenario(options: Options): Scenario {
  const entry = SCENARIOS.find(({ name }) => name === options.scenario)
  if (!entry) throw new Error(`No scenario ${options.scenario}`)
  return { ...entry.create(options.culprit), meshes: options.meshes }
}

/**
 * Rehearses calm traffic while the Prometheus servers are `starting`. Meanwhile the live world handles its first
 * requests, which are slow in any program that has just begun.
 */
export async function prepareWhileStarting(
  scenario: Scenario,
  starting: readonly Promise<unknown>[],
  signal: AbortSignal,
): Promise<{ world: World; pace: Pace }> {
  const rehearsing = rehearse(scenario, signal)
  const warming = startWarmWorld(scenario, signal)
  // All of it settles, also when a part fails: nothing may still be starting when the cleaning up begins.
  await Promise.allSettled([rehearsing, warming, ...starting])
  await Promise.all(starting)
  return { world: await warming, pace: await rehearsing }
}

async function startWarmWorld(scenario: Scenario, signal: AbortSignal): Promise<World> {
  const world = await startWorld(loopback, scenario)
  const crowds = createCrowds(loopback, scenario, world)
  crowds.start(calmUsers(scenario))
  await sleep(WARM_UP_MS, undefined, { signal })
  await crowds.stop()
  return world
}
