import { Effects } from './effects.ts'
import { EventQueue } from './event-queue.ts'
import { Chance } from './random.ts'
import { Recorder } from './recorder.ts'
import type { Effect, Recording, SimCall, SimWorkload, SimWorld } from './types.ts'

/** A request at a workload. */
interface Request {
  readonly workload: SimWorkload
  readonly pod: Pod
  /** Who waits for it; null: somebody outside. */
  readonly attempt: Attempt | null
  readonly arrivedAt: number
  /** At an ingress: the call that leads on. */
  readonly forward: SimCall | null
  postSeconds: number
  stage: number
  waiting: number
  failed: boolean
}

/** One try of a call. */
interface Attempt {
  readonly call: SimCall
  /** The call behind it, where this one leads to an ingress. */
  readonly behind: SimCall | null
  readonly caller: Request
  readonly sentAt: number
  readonly triesLeft: number
  over: boolean
}

interface Pod {
  readonly index: number
  busy: number
  /** Working and waiting. */
  inside: number
  readonly queue: Request[]
  queueHead: number
}

type Event =
  | { readonly kind: 'entry'; readonly entry: number }
  | { readonly kind: 'arrive'; readonly attempt: Attempt }
  | { readonly kind: 'computed'; readonly request: Request }
  | { readonly kind: 'finish'; readonly request: Request }
  | { readonly kind: 'answer'; readonly attempt: Attempt; readonly failed: boolean }
  | { readonly kind: 'timeout'; readonly attempt: Attempt }
  | { readonly kind: 'retry'; readonly attempt: Attempt }
  | { readonly kind: 'scrape'; readonly workload: number; readonly pod: number }

/** Part of its own work that a request does after its calls have come back, where workers are held. */
const AFTERWARDS = 0.3
const REJECTED_SECONDS = 0.000_5
const SCRAPES = { missed: 0.007, jitterSeconds: 0.15 }

/**
 * Runs requests one by one through a world, with queues, workers, parallel calls, timeouts and retries, and counts at
 * every pod what its proxy would, read by scrapes that each have their own instant. Same seed, same recording.
 */
export function simulate(world: SimWorld, effects: readonly Effect[], untilSeconds: number): Recording {
  return new Simulation(world, effects, untilSeconds).run()
}

class Simulation {
  readonly #world: SimWorld
  readonly #effects: Effects
  readonly #until: number
  readonly #chance: Chance
  readonly #queue = new EventQueue<Event>()
  readonly #pods: Pod[][]
  readonly #recorder: Recorder
  /** By host: the call that leads on from an ingress. */
  readonly #behind = new Map<string | null, SimCall>()
  #now = 0
  #requests = 0

  constructor(world: SimWorld, effects: readonly Effect[], until: number) {
    this.#world = world
    this.#effects = new Effects(world, effects)
    this.#until = until
    this.#chance = new Chance(world.seed * 7 + 3)
    this.#pods = world.workloads.map(({ pods }) =>
      Array.from({ length: pods }, (_, index): Pod => ({ index, busy: 0, inside: 0, queue: [], queueHead: 0 })),
    )
    this.#recorder = new Recorder(world)
    for (const call of world.calls) if (call.style === 'forward') this.#behind.set(call.host, call)
  }

  run(): Recording {
    for (const { index, pods, cluster, meshed } of this.#world.workloads) {
      if (!meshed) continue
      const interval = this.#world.clusters[cluster]?.scrapeSeconds ?? 10
      for (let pod = 0; pod < pods; pod += 1) {
        this.#queue.plan(this.#chance.between(0, interval), { kind: 'scrape', workload: index, pod })
      }
    }
    this.#world.entries.forEach((_, entry) => {
      this.#planEntry(entry)
    })
    while (this.#queue.nextSeconds < this.#until) {
      this.#now = this.#queue.nextSeconds
      const event = this.#queue.take()
      if (event !== undefined) this.#happen(event)
    }
    return this.#recorder.recording(this.#until, this.#requests)
  }

  #happen(event: Event): void {
    switch (event.kind) {
      case 'entry': {
        const { workload } = this.#world.entries[event.entry] as SimWorld['entries'][number]
        this.#arrive(this.#world.workloads[workload] as SimWorkload, null)
        this.#planEntry(event.entry)
        return
      }
      case 'arrive':
        this.#arrive(this.#world.workloads[event.attempt.call.to] as SimWorkload, event.attempt)
        return
      case 'computed':
        this.#computed(event.request)
        return
      case 'finish':
        this.#finish(event.request)
        return
      case 'answer':
        this.#answered(event.attempt, event.failed)
        return
      case 'timeout':
        if (!event.attempt.over) this.#answered(event.attempt, true)
        return
      case 'retry':
        this.#send(event.attempt.caller, event.attempt.call, event.attempt.behind, event.attempt.triesLeft - 1)
        return
      case 'scrape':
        this.#scrape(event.workload, event.pod)
        return
      default:
        event satisfies never
    }
  }

  #planEntry(entry: number): void {
    const { requestsPerSecond } = this.#world.entries[entry] as SimWorld['entries'][number]
    const rate = requestsPerSecond * this.#effects.surge(entry, this.#now)
    this.#queue.plan(this.#now + this.#chance.exponential(1 / rate), { kind: 'entry', entry })
  }

  #arrive(workload: SimWorkload, attempt: Attempt | null): void {
    this.#requests += 1
    const pod = this.#podFor(workload)
    const request: Request = {
      workload,
      pod,
      attempt,
      arrivedAt: this.#now,
      forward: attempt?.behind ?? null,
      postSeconds: 0,
      stage: 0,
      waiting: 0,
      failed: false,
    }
    const { index, workers, queueLimit } = workload
    if (pod.busy < this.#effects.workers(index, this.#now, workers)) {
      pod.inside += 1
      this.#start(request)
      return
    }
    if (pod.queue.length - pod.queueHead >= this.#effects.queueLimit(index, this.#now, queueLimit)) {
      this.#recorder.inbound(request.workload.index, pod.index, attempt?.call.index ?? null, REJECTED_SECONDS, true)
      if (attempt !== null) this.#reply(attempt, true)
      return
    }
    pod.inside += 1
    pod.queue.push(request)
  }

  /** The less busy of two: what a balancer that looks at latency comes down to. */
  #podFor({ index, pods }: SimWorkload): Pod {
    const list = this.#pods[index] as Pod[]
    const alive = Math.max(1, this.#effects.pods(index, this.#now, pods))
    const one = list[Math.floor(this.#chance.next() * alive)] as Pod
    if (alive === 1) return one
    const other = list[Math.floor(this.#chance.next() * alive)] as Pod
    return other.inside < one.inside ? other : one
  }

  #start(request: Request): void {
    const { workload, pod, attempt } = request
    pod.busy += 1
    const cost = attempt?.behind === null || attempt === null ? (attempt?.call.cost ?? 1) : 1
    const usual = this.#chance.lognormal(workload.ownSeconds * cost, workload.ownSigma)
    const added = this.#effects.addedSeconds(workload.index, this.#now)
    const seconds = usual + (added > 0 ? this.#chance.lognormal(added, 0.3) : 0)
    request.postSeconds = workload.holdsWorkers ? seconds * AFTERWARDS : 0
    this.#queue.plan(this.#now + seconds - request.postSeconds, { kind: 'computed', request })
  }

  #computed(request: Request): void {
    const { workload, pod } = request
    if (!workload.holdsWorkers) this.#release(workload, pod)
    const ratio = workload.failureRatio + this.#effects.failureRatio(workload.index, this.#now)
    if (this.#chance.yes(ratio)) request.failed = true
    this.#goOn(request)
  }

  #goOn(request: Request): void {
    const { workload } = request
    const stages = request.forward === null ? workload.stages : [[request.forward.index]]
    while (!request.failed && request.waiting === 0 && request.stage < stages.length) {
      const calls = stages[request.stage] as readonly number[]
      request.stage += 1
      for (const index of calls) {
        const call = this.#world.calls[index] as SimCall
        const whole = Math.floor(call.count)
        const times = whole + (this.#chance.yes(call.count - whole) ? 1 : 0)
        for (let time = 0; time < times; time += 1) {
          if (call.waits) request.waiting += 1
          this.#call(request, call)
        }
      }
    }
    if (request.waiting > 0) return
    request.stage = stages.length
    if (request.postSeconds > 0) this.#queue.plan(this.#now + request.postSeconds, { kind: 'finish', request })
    else this.#finish(request)
  }

  #call(request: Request, call: SimCall): void {
    const behind = call.style === 'ingress' ? this.#behind.get(call.host) : undefined
    this.#send(request, call, behind ?? null, call.retries)
  }

  #send(caller: Request, call: SimCall, behind: SimCall | null, triesLeft: number): void {
    const attempt: Attempt = { call, behind, caller, sentAt: this.#now, triesLeft, over: false }
    this.#queue.plan(this.#now + this.#linkSeconds(call) / 2, { kind: 'arrive', attempt })
    if (call.timeoutSeconds < 60) this.#queue.plan(this.#now + call.timeoutSeconds, { kind: 'timeout', attempt })
  }

  #linkSeconds({ index, linkSeconds }: SimCall): number {
    return this.#chance.lognormal(linkSeconds, 0.4) + this.#effects.linkSeconds(index, this.#now)
  }

  #finish(request: Request): void {
    const { workload, pod, attempt, arrivedAt, failed } = request
    if (workload.holdsWorkers) this.#release(workload, pod)
    pod.inside -= 1
    const gone = attempt?.over === true
    if (!gone || this.#world.countsAbandoned) {
      const call = attempt?.call.index ?? null
      this.#recorder.inbound(workload.index, pod.index, call, this.#now - arrivedAt, failed)
    }
    if (attempt !== null) this.#reply(attempt, failed)
  }

  #reply(attempt: Attempt, failed: boolean): void {
    this.#queue.plan(this.#now + this.#linkSeconds(attempt.call) / 2, { kind: 'answer', attempt, failed })
  }

  #answered(attempt: Attempt, failed: boolean): void {
    if (attempt.over) return
    attempt.over = true
    const { call, caller, sentAt, triesLeft } = attempt
    const { workload, pod } = caller
    this.#recorder.outbound(workload.index, pod.index, call.index, this.#now - sentAt, failed)
    if (failed && triesLeft > 0) {
      this.#queue.plan(this.#now + this.#chance.exponential(0.01), { kind: 'retry', attempt })
      return
    }
    if (!call.waits) return
    caller.waiting -= 1
    if (failed && call.critical) caller.failed = true
    if (caller.waiting === 0) this.#goOn(caller)
  }

  #release(workload: SimWorkload, pod: Pod): void {
    pod.busy -= 1
    const workers = this.#effects.workers(workload.index, this.#now, workload.workers)
    while (pod.busy < workers && pod.queueHead < pod.queue.length) {
      const next = pod.queue[pod.queueHead] as Request
      pod.queueHead += 1
      this.#start(next)
    }
    if (pod.queueHead > 1_000 || pod.queueHead === pod.queue.length) {
      pod.queue.splice(0, pod.queueHead)
      pod.queueHead = 0
    }
  }

  #scrape(workload: number, pod: number): void {
    const { cluster, pods } = this.#world.workloads[workload] as SimWorkload
    const interval = this.#world.clusters[cluster]?.scrapeSeconds ?? 10
    const alive = pod < this.#effects.pods(workload, this.#now, pods)
    if (alive && !this.#chance.yes(SCRAPES.missed)) this.#recorder.scrape(workload, pod, this.#now)
    const jitter = this.#chance.between(-SCRAPES.jitterSeconds, SCRAPES.jitterSeconds)
    this.#queue.plan(this.#now + interval + jitter, { kind: 'scrape', workload, pod })
  }
}
