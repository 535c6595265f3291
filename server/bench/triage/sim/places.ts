import { type Expectation, expect } from './expectation.ts'
import type { Chance } from './random.ts'
import type { SimCall, SimWorkload, SimWorld } from './types.ts'

/** Times that an entry's mean becomes. */
const LEAST_GAIN = 2
const MOST_GAIN = 10
export const LONGEST_SECONDS = 4
/** A culprit is asked at least this often, and this often per request of some entry. */
const LEAST_RATE = 1.5
const LEAST_VISITS = 0.12

export interface Place {
  readonly workload: SimWorkload
  /** What has to be added per request of it, for an entry to become so many times as slow. */
  readonly addSeconds: number
}

/** Where in a world something may go wrong so that it is felt. */
export class Places {
  readonly expected: Expectation
  readonly #world: SimWorld
  readonly #chance: Chance

  constructor(world: SimWorld, chance: Chance) {
    this.#world = world
    this.#chance = chance
    this.expected = expect(world)
  }

  /** Somewhere that an entry feels. */
  place(not: readonly number[] = [], fits: (workload: SimWorkload) => boolean = () => true): Place | null {
    const { workloads, entries } = this.#world
    const { requestsPerSecond, meanSeconds } = this.expected
    const places: Place[] = []
    for (const { workload: entry } of this.#chance.some(entries, 3)) {
      const visits = this.expected.visits(entry)
      for (const workload of workloads) {
        const felt = visits[workload.index] as number
        const rate = requestsPerSecond[workload.index] as number
        if (workload.role !== 'workload' || not.includes(workload.index) || !fits(workload)) continue
        if (felt < LEAST_VISITS || rate < LEAST_RATE || (requestsPerSecond[entry] as number) < LEAST_RATE) continue
        const gain = this.#chance.logBetween(LEAST_GAIN, MOST_GAIN)
        const added = Math.max(0.06, (gain - 1) * (meanSeconds[entry] as number)) / Math.min(1, felt)
        if (added <= LONGEST_SECONDS) places.push({ workload, addSeconds: added })
      }
    }
    return places.length === 0 ? null : this.#chance.pick(places)
  }

  callsTo(workload: number): SimCall[] {
    const { calls } = this.#world
    return calls.filter(({ to, style, host }) => {
      if (style === 'forward') return false
      return style !== 'ingress'
        ? to === workload
        : calls.some((call) => call.style === 'forward' && call.host === host && call.to === workload)
    })
  }

  crosses({ from, to }: SimCall): boolean {
    return this.#world.workloads[from]?.cluster !== this.#world.workloads[to]?.cluster
  }
}
