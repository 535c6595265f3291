import type { Effect, SimWorld } from './types.ts'

/** What is wrong with each part of the world at a time: looked up for every request, so kept by place. */
export class Effects {
  readonly #slow: Effect[][]
  readonly #fail: Effect[][]
  readonly #workers: Effect[][]
  readonly #queue: Effect[][]
  readonly #pods: Effect[][]
  readonly #links: Effect[][]
  readonly #surges: Effect[][]

  constructor(world: SimWorld, effects: readonly Effect[]) {
    const lists = (size: number) => Array.from({ length: size }, (): Effect[] => [])
    const size = world.workloads.length
    this.#slow = lists(size)
    this.#fail = lists(size)
    this.#workers = lists(size)
    this.#queue = lists(size)
    this.#pods = lists(size)
    this.#links = lists(world.calls.length)
    this.#surges = lists(world.entries.length)
    for (const effect of effects) {
      const { what } = effect
      if (what.kind === 'slow') this.#slow[what.workload]?.push(effect)
      else if (what.kind === 'fail') this.#fail[what.workload]?.push(effect)
      else if (what.kind === 'workers') this.#workers[what.workload]?.push(effect)
      else if (what.kind === 'queue') this.#queue[what.workload]?.push(effect)
      else if (what.kind === 'pods') this.#pods[what.workload]?.push(effect)
      else if (what.kind === 'surge') this.#surges[what.entry]?.push(effect)
      else for (const call of what.calls) this.#links[call]?.push(effect)
    }
  }

  addedSeconds(workload: number, at: number): number {
    return sum(this.#slow[workload], at, (what) => (what.kind === 'slow' ? what.addSeconds : 0))
  }

  linkSeconds(call: number, at: number): number {
    return sum(this.#links[call], at, (what) => (what.kind === 'link' ? what.addSeconds : 0))
  }

  failureRatio(workload: number, at: number): number {
    return sum(this.#fail[workload], at, (what) => (what.kind === 'fail' ? what.ratio : 0))
  }

  surge(entry: number, at: number): number {
    return 1 + sum(this.#surges[entry], at, (what) => (what.kind === 'surge' ? what.factor - 1 : 0))
  }

  workers(workload: number, at: number, usual: number): number {
    const on = this.#workers[workload]?.find((effect) => strength(effect, at) > 0)
    return on?.what.kind === 'workers' ? on.what.workers : usual
  }

  queueLimit(workload: number, at: number, usual: number): number {
    const on = this.#queue[workload]?.find((effect) => strength(effect, at) > 0)
    return on?.what.kind === 'queue' ? on.what.limit : usual
  }

  pods(workload: number, at: number, usual: number): number {
    const on = this.#pods[workload]?.find((effect) => strength(effect, at) > 0)
    return on?.what.kind === 'pods' ? on.what.pods : usual
  }
}

function sum(effects: readonly Effect[] | undefined, at: number, read: (what: Effect['what']) => number): number {
  if (effects === undefined || effects.length === 0) return 0
  return effects.reduce((total, effect) => total + strength(effect, at) * read(effect.what), 0)
}

function strength({ fromSeconds, untilSeconds, rampSeconds }: Effect, at: number): number {
  if (at < fromSeconds || at >= untilSeconds) return 0
  return rampSeconds > 0 ? Math.min(1, (at - fromSeconds) / rampSeconds) : 1
}
