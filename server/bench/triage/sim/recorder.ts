import type { Flow, Recording, SimWorld } from './types.ts'

interface Counter {
  readonly flow: Flow
  succeeded: number
  failed: number
  seconds: number
}

/** Counts as proxies do, and keeps what scrapes read of it. */
export class Recorder {
  readonly #world: SimWorld
  readonly #counters = new Map<number, Counter>()
  readonly #ofPod: Counter[][][]
  readonly #scrapes: number[][][]

  constructor(world: SimWorld) {
    this.#world = world
    this.#ofPod = world.workloads.map(({ pods }) => Array.from({ length: pods }, () => []))
    this.#scrapes = world.workloads.map(({ pods }) => Array.from({ length: pods }, () => []))
  }

  inbound(workload: number, pod: number, call: number | null, seconds: number, failed: boolean): void {
    if (this.#world.workloads[workload]?.meshed) count(this.#of('inbound', workload, pod, call), seconds, failed)
  }

  outbound(workload: number, pod: number, call: number, seconds: number, failed: boolean): void {
    if (this.#world.workloads[workload]?.meshed) count(this.#of('outbound', workload, pod, call), seconds, failed)
  }

  scrape(workload: number, pod: number, atSeconds: number): void {
    this.#scrapes[workload]?.[pod]?.push(atSeconds)
    for (const { flow, succeeded, failed, seconds } of this.#ofPod[workload]?.[pod] ?? []) {
      flow.succeeded.push(succeeded)
      flow.failed.push(failed)
      flow.seconds.push(seconds)
    }
  }

  recording(untilSeconds: number, requests: number): Recording {
    const flows = [...this.#counters.values()].map(({ flow }) => flow)
    return { world: this.#world, flows, scrapes: this.#scrapes, fromSeconds: 0, untilSeconds, requests }
  }

  #of(direction: Flow['direction'], workload: number, pod: number, call: number | null): Counter {
    const place = (call ?? -1) + 1
    const calls = this.#world.calls.length + 1
    const key = ((workload * 64 + pod) * 2 + (direction === 'inbound' ? 0 : 1)) * calls + place
    let counter = this.#counters.get(key)
    if (counter === undefined) {
      const firstScrape = this.#scrapes[workload]?.[pod]?.length ?? 0
      const flow: Flow = { direction, workload, pod, call, succeeded: [], failed: [], seconds: [], firstScrape }
      counter = { flow, succeeded: 0, failed: 0, seconds: 0 }
      this.#counters.set(key, counter)
      this.#ofPod[workload]?.[pod]?.push(counter)
    }
    return counter
  }
}

function count(counter: Counter, seconds: number, failed: boolean): void {
  if (failed) counter.failed += 1
  else counter.succeeded += 1
  counter.seconds += seconds
}
