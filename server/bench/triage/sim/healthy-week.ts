import { drawWorld } from './draw-world.ts'
import { Chance } from './random.ts'
import type { Flow, Recording, SimCall, SimWorkload, SimWorld } from './types.ts'

export const DAY_SECONDS = 86_400

/** One workload's course: how busy it is at a time, and what a request costs it then. */
interface Mood {
  /** Slow drift of its own work: first-order autoregressive, a few percent. */
  drift: number
  /** Seconds that a hiccup (garbage collection, a noisy disk) still lasts, and what it adds to each request. */
  hiccupSeconds: number
  hiccupAdds: number
}

const DRIFT = { memory: 0.995, step: 0.004 }
const HICCUPS_PER_DAY = 3
/** Counts above this are drawn from the normal distribution. */
const MANY = 40

/**
 * A world in which nothing is wrong, over days: rates follow the day and the week with their own noise and full-hour
 * jobs, queues make busy hours slower, hiccups of seconds come and go, a few requests fail. Not request by request, but
 * by scrape interval: counts are Poisson, sums of latencies are drawn with their spread, callers wait for what callees
 * took in the same interval.
 */
export function healthyWeek(seed: number, untilSeconds: number): Recording {
  return new Week(healthyWorld(seed), seed).run(untilSeconds)
}

/** The world that a healthy week of this seed is of. */
export function healthyWorld(seed: number): SimWorld {
  return drawWorld({ seed, least: 16, most: 30, busyness: 16 })
}

class Week {
  readonly #world: SimWorld
  readonly #chance: Chance
  readonly #order: readonly number[]
  readonly #peaks: readonly number[]
  readonly #callsOf: readonly (readonly SimCall[])[]
  readonly #stepSeconds: number

  constructor(world: SimWorld, seed: number) {
    this.#world = world
    this.#chance = new Chance(seed * 13 + 5)
    this.#stepSeconds = world.clusters[0]?.scrapeSeconds ?? 10
    this.#callsOf = world.workloads.map(({ index }) => world.calls.filter(({ from }) => from === index))
    this.#order = calleesFirst(world)
    // How full of work it is at the busiest time of day.
    this.#peaks = world.workloads.map(() => this.#chance.between(0.15, 0.6))
  }

  run(untilSeconds: number): Recording {
    const { workloads, calls } = this.#world
    const steps = Math.floor(untilSeconds / this.#stepSeconds)
    const inbound = new Map<string, Tally>()
    const outbound = new Map<number, Tally>()
    const scrapes = workloads.map(() => [[] as number[]])
    const moods = workloads.map((): Mood => ({ drift: 0, hiccupSeconds: 0, hiccupAdds: 0 }))
    const phases = workloads.map(({ index }) => ((index * 7) % 10) / 10)
    const flowOf = (workload: number, call: number | null) => {
      const key = `${workload} ${call}`
      const known = inbound.get(key) ?? new Tally('inbound', workload, call)
      inbound.set(key, known)
      return known
    }
    for (const { index, from } of calls) outbound.set(index, new Tally('outbound', from, index))
    let noise = 0
    for (let step = 0; step < steps; step += 1) {
      const at = step * this.#stepSeconds
      noise = 0.98 * noise + 0.012 * this.#chance.normal()
      const busy = busyness(at) * (1 + noise)
      const counts = this.#counts(busy, at)
      const means = new Float64Array(workloads.length)
      for (const index of this.#order)
        this.#work(index, busy, moods[index] as Mood, counts, means, { flowOf, outbound })
      for (const { index } of workloads) {
        // Every target is scraped at its own instant: what it counted since its last one is what it has counted by then.
        scrapes[index]?.[0]?.push(at + this.#stepSeconds * (1 + (phases[index] as number)))
      }
      for (const one of [...inbound.values(), ...outbound.values()]) one.scrape(step)
    }
    const flows = [...inbound.values(), ...outbound.values()].map(({ flow }) => flow)
    return { world: this.#world, flows, scrapes, fromSeconds: 0, untilSeconds, requests: 0 }
  }

  /** Requests of each call in one interval, and of each entry (behind all calls). */
  #counts(busy: number, at: number): { calls: Float64Array; entries: Float64Array } {
    const { calls, entries, workloads } = this.#world
    const arriving = new Float64Array(workloads.length)
    const perCall = new Float64Array(calls.length)
    const perEntry = Float64Array.from(entries, ({ workload, requestsPerSecond }) => {
      const full = at % 3_600 < 60 && workload % 3 === 0 ? 1.4 : 1
      const count = this.#poisson(requestsPerSecond * busy * full * this.#stepSeconds)
      arriving[workload] = (arriving[workload] as number) + count
      return count
    })
    for (const index of [...this.#order].reverse()) {
      for (const call of this.#callsOf[index] ?? []) {
        if (call.style === 'forward') continue
        const made = this.#poisson((arriving[index] as number) * call.count)
        perCall[call.index] = made
        const behind = call.style === 'ingress' ? this.#behind(call) : undefined
        if (behind !== undefined) perCall[behind.index] = (perCall[behind.index] as number) + made
        const to = behind?.to ?? call.to
        arriving[to] = (arriving[to] as number) + made
      }
    }
    return { calls: perCall, entries: perEntry }
  }

  #behind({ host }: SimCall): SimCall | undefined {
    return this.#world.calls.find((call) => call.style === 'forward' && call.host === host)
  }

  #work(
    index: number,
    busy: number,
    mood: Mood,
    counts: { calls: Float64Array; entries: Float64Array },
    means: Float64Array,
    {
      flowOf,
      outbound,
    }: { flowOf(workload: number, call: number | null): Tally; outbound: ReadonlyMap<number, Tally> },
  ): void {
    const workload = this.#world.workloads[index] as SimWorkload
    this.#changeMood(mood)
    const load = (this.#peaks[index] as number) * Math.min(1.3, busy / PEAK)
    const own =
      (workload.ownSeconds * Math.exp(mood.drift)) / (1 - load ** 3) + (mood.hiccupSeconds > 0 ? mood.hiccupAdds : 0)
    let waited = 0
    for (const call of this.#callsOf[index] ?? []) {
      const made = counts.calls[call.index] as number
      if (made === 0) continue
      const behind = call.style === 'ingress' ? (this.#behind(call)?.to ?? call.to) : call.to
      const door = call.style === 'ingress' ? DOOR_SECONDS : 0
      const mean = (means[behind] as number) + door + this.#average(call.linkSeconds, 0.4, made)
      outbound.get(call.index)?.add(made, mean * made, this.#poisson(made * workload.failureRatio * 0.2))
      if (call.waits && call.style !== 'forward') waited += call.count * mean
    }
    const arrivals: [Tally, number][] = []
    this.#world.entries.forEach((entry, at) => {
      if (entry.workload === index) arrivals.push([flowOf(index, null), counts.entries[at] as number])
    })
    for (const call of this.#world.calls) {
      const direct = call.to === index && call.style !== 'ingress'
      const atDoor = call.to === index && call.style === 'ingress'
      if (direct || atDoor) arrivals.push([flowOf(index, call.index), counts.calls[call.index] as number])
    }
    const total = arrivals.reduce((sum, [, count]) => sum + count, 0)
    if (total === 0) {
      means[index] = own + waited
      return
    }
    let seconds = 0
    for (const [into, count] of arrivals) {
      if (count === 0) continue
      const mean = (workload.role === 'ingress' ? DOOR_SECONDS : this.#average(own, workload.ownSigma, count)) + waited
      into.add(count, mean * count, this.#poisson(count * workload.failureRatio))
      seconds += mean * count
    }
    means[index] = seconds / total
  }

  #changeMood(mood: Mood): void {
    mood.drift = DRIFT.memory * mood.drift + DRIFT.step * this.#chance.normal()
    mood.hiccupSeconds -= this.#stepSeconds
    if (!this.#chance.yes((HICCUPS_PER_DAY * this.#stepSeconds) / DAY_SECONDS)) return
    mood.hiccupSeconds = this.#stepSeconds
    mood.hiccupAdds = this.#chance.between(0.01, 0.06)
  }

  /** The mean of so many draws. */
  #average(mean: number, sigma: number, count: number): number {
    if (count > MANY) {
      const spread = Math.sqrt(Math.exp(sigma * sigma) - 1)
      return mean * Math.max(0.2, 1 + (spread / Math.sqrt(count)) * this.#chance.normal())
    }
    let sum = 0
    for (let one = 0; one < count; one += 1) sum += this.#chance.lognormal(mean, sigma)
    return sum / count
  }

  #poisson(mean: number): number {
    if (mean > MANY) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.#chance.normal()))
    const limit = Math.exp(-mean)
    let product = this.#chance.next()
    let count = 0
    while (product > limit) {
      product *= this.#chance.next()
      count += 1
    }
    return count
  }
}

const PEAK = 1.6
const DOOR_SECONDS = 0.001_5

/** Of the average rate: quiet nights, two humps by day, quieter weekends. */
function busyness(at: number): number {
  const day = (at % DAY_SECONDS) / DAY_SECONDS
  const weekend = Math.floor(at / DAY_SECONDS) % 7 >= 5 ? 0.6 : 1
  const hump = (centre: number, width: number) => Math.exp(-(((day - centre) / width) ** 2))
  return weekend * (0.15 + 1.4 * hump(0.44, 0.12) + 1.3 * hump(0.67, 0.13) + 0.4 * hump(0.87, 0.06))
}

function calleesFirst({ workloads, calls }: SimWorld): number[] {
  const order: number[] = []
  const seen = new Set<number>()
  const visit = (index: number) => {
    if (seen.has(index)) return
    seen.add(index)
    for (const { from, to, style, host } of calls) {
      if (from !== index) continue
      const behind =
        style === 'ingress' ? calls.find((call) => call.style === 'forward' && call.host === host) : undefined
      visit(behind?.to ?? to)
    }
    order.push(index)
  }
  for (const { index, role } of workloads) if (role === 'workload') visit(index)
  const doors = workloads.filter(({ role }) => role === 'ingress').map(({ index }) => index)
  return [...order.filter((index) => !doors.includes(index)), ...doors]
}

/** Counters since the beginning, and what scrapes read of them. */
class Tally {
  readonly flow: Flow
  #succeeded = 0
  #failed = 0
  #seconds = 0

  constructor(direction: Flow['direction'], workload: number, call: number | null) {
    this.flow = { direction, workload, pod: 0, call, succeeded: [], failed: [], seconds: [], firstScrape: 0 }
  }

  add(count: number, seconds: number, failures: number): void {
    const bad = Math.min(count, failures)
    this.#succeeded += count - bad
    this.#failed += bad
    this.#seconds += seconds
  }

  /** `step` scrapes were made before; a flow that is met later was at 0 in all of them. */
  scrape(step: number): void {
    const { succeeded, failed, seconds } = this.flow
    while (succeeded.length < step) for (const values of [succeeded, failed, seconds]) values.push(0)
    succeeded.push(this.#succeeded)
    failed.push(this.#failed)
    seconds.push(this.#seconds)
  }
}
