import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Crowds, createCrowds } from '../load/crowds.ts'
import type { Pod } from '../mesh/pod.ts'
import { SCRAPE_INTERVAL_SECONDS } from '../prometheus/config.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { PROBE_INTERVAL_SECONDS } from '../world/probes.ts'
import { startWorld, type World } from '../world/world.ts'
import { addToPace, type Pace, type Reading, readCells } from './measure.ts'

/** Several copies of the world side by side see in a few seconds what one would see in half a minute. */
const WORLDS = 6
const WARM_UP_SECONDS = 1
const MEASURED_SECONDS = 3

export interface Rehearsal {
  /** The first of the worlds, which goes on as the live one. */
  readonly world: World
  readonly pace: Pace
}

/** Plays calm traffic and measures at what pace every number of every proxy grows. */
export async function rehearse(scenario: Scenario, signal: AbortSignal): Promise<Rehearsal> {
  const worlds = await Promise.all(Array.from({ length: WORLDS }, () => startWorld(scenario)))
  const crowds = worlds.map((world) => createCrowds(scenario, world))
  const stages = worlds.map((world) => scenario.clusters.flatMap((cluster) => world.pods(cluster)))

  await play(crowds, scenario, WARM_UP_SECONDS, signal)
  const before: Reading[] = stages.map(readCells)
  const overallSeconds = WORLDS * MEASURED_SECONDS
  const asked = stages.map((pods, i) => askAdminPorts(pods, (every) => shareOf(overallSeconds / every, i)))
  await Promise.all([play(crowds, scenario, MEASURED_SECONDS, signal), ...asked])

  const pace: Pace = new Map()
  stages.forEach((pods, i) => {
    addToPace(pace, pods, before[i] ?? new Map(), overallSeconds)
  })
  const [world, ...others] = worlds
  await Promise.all(others.map((other) => other.close()))
  if (!world) throw new Error('No world was rehearsed')
  return { world, pace }
}

/** Ends when every answer is in, so that requests and answers agree in what is counted. */
async function play(
  crowds: readonly Crowds[],
  scenario: Scenario,
  seconds: number,
  signal: AbortSignal,
): Promise<void> {
  for (const crowd of crowds) crowd.start(calmUsers(scenario))
  await sleep(seconds * 1000, undefined, { signal })
  await Promise.all(crowds.map((crowd) => crowd.stop()))
}

export function calmUsers(scenario: Scenario): number {
  return scenario.phases[0]?.users[0]?.users ?? 0
}

/** What scrapes and probes would have done meanwhile: they are part of what a proxy measures. */
async function askAdminPorts(pods: readonly Pod[], timesEvery: (seconds: number) => number): Promise<void> {
  for (const pod of pods) {
    for (let i = 0; i < timesEvery(SCRAPE_INTERVAL_SECONDS); i++) await fetchPage(pod.adminPort)
    for (let i = 0; i < timesEvery(PROBE_INTERVAL_SECONDS); i++) await pod.probe()
  }
}

/** Divides a number of times over the worlds, as evenly as whole numbers allow. */
function shareOf(times: number, world: number): number {
  const upTo = (worlds: number) => Math.round((times * worlds) / WORLDS)
  return upTo(world + 1) - upTo(world)
}

function fetchPage(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/metrics', agent: false }, (response) => {
      response.resume()
      response.on('end', resolve)
    }).on('error', reject)
  })
}
