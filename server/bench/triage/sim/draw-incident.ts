import { LONGEST_SECONDS, type Place, Places } from './places.ts'
import { Chance } from './random.ts'
import type { Effect, SimCall, SimWorkload, SimWorld } from './types.ts'

export const KINDS = [
  'latency',
  'twoLatencies',
  'seam',
  'ingress',
  'failures',
  'retryStorm',
  'saturation',
  'saturationWithErrors',
  'leak',
  'surge',
  'podLoss',
  'neighbours',
  'recovered',
  'silentCluster',
  'unmeshed',
] as const

export type Kind = (typeof KINDS)[number]

/** What was done to a world, and who has to be named for it. */
export interface Incident {
  readonly kind: Kind
  readonly world: SimWorld
  readonly effects: readonly Effect[]
  /** Each of these has to be found: any one of a group's workloads or calls will do. */
  readonly culprits: readonly Culprit[]
  /** The cluster that does not answer from the onset on. */
  readonly silent: number | null
  readonly onsetSeconds: number
  readonly untilSeconds: number
}

export interface Culprit {
  readonly workloads: readonly number[]
  readonly calls: readonly number[]
}

export const CALM_SECONDS = 480
/** Does something to the world; null where the world has no place for this kind. */
export function drawIncident(world: SimWorld, kind: Kind, seed: number): Incident | null {
  const chance = new Chance(seed * 31 + 17)
  const lasts = kind === 'leak' ? chance.between(300, 480) : chance.between(100, 240)
  const drawn = new Drawing(world, chance, CALM_SECONDS).draw(kind)
  if (drawn === null) return null
  const { world: changed = world, effects, culprits, silent = null, lasting = lasts } = drawn
  const untilSeconds = CALM_SECONDS + lasting
  return { kind, world: changed, effects, culprits, silent, onsetSeconds: CALM_SECONDS, untilSeconds }
}

interface Drawn {
  readonly world?: SimWorld
  readonly effects: readonly Effect[]
  readonly culprits: readonly Culprit[]
  readonly silent?: number
  readonly lasting?: number
}

class Drawing {
  readonly #world: SimWorld
  readonly #chance: Chance
  readonly #from: number
  readonly #places: Places

  constructor(world: SimWorld, chance: Chance, from: number) {
    this.#world = world
    this.#chance = chance
    this.#from = from
    this.#places = new Places(world, chance)
  }

  draw(kind: Kind): Drawn | null {
    switch (kind) {
      case 'latency':
        return this.#at((place) => [this.#slow(place)])
      case 'twoLatencies':
        return this.#two()
      case 'seam':
        return this.#seam()
      case 'ingress':
        return this.#ingress()
      case 'failures':
        return this.#at(({ workload }) => [this.#fail(workload, this.#chance.between(0.15, 0.7))])
      case 'retryStorm':
        return this.#retryStorm()
      case 'saturation':
        return this.#at(({ workload }) => this.#fewWorkers(workload))
      case 'saturationWithErrors':
        return this.#at(({ workload }) => [
          ...this.#fewWorkers(workload),
          this.#effect({ kind: 'queue', workload: workload.index, limit: this.#chance.whole(3, 20) }),
        ])
      case 'leak':
        return this.#at((place) => [this.#slow(place, this.#chance.between(200, 360))])
      case 'surge':
        return this.#surge()
      case 'podLoss':
        return this.#podLoss()
      case 'neighbours':
        return this.#neighbours()
      case 'recovered':
        return this.#recovered()
      case 'silentCluster':
        return this.#silentCluster()
      case 'unmeshed':
        return this.#unmeshed()
      default:
        return kind satisfies never
    }
  }

  #at(wrong: (place: Place) => readonly Effect[]): Drawn | null {
    const place = this.#places.place()
    return place === null ? null : { effects: wrong(place), culprits: [only(place.workload)] }
  }

  #effect(what: Effect['what'], rampSeconds = 0, lastingSeconds = Number.POSITIVE_INFINITY): Effect {
    return { fromSeconds: this.#from, untilSeconds: this.#from + lastingSeconds, rampSeconds, what }
  }

  #slow({ workload, addSeconds }: Place, rampSeconds = this.#chance.pick([0, 0, 10, 30])): Effect {
    return this.#effect({ kind: 'slow', workload: workload.index, addSeconds }, rampSeconds)
  }

  #fail({ index }: SimWorkload, ratio: number): Effect {
    return this.#effect({ kind: 'fail', workload: index, ratio }, this.#chance.pick([0, 0, 20]))
  }

  /** So few that it cannot keep up, by a little or by a lot: the queue grows. */
  #fewWorkers({ index, ownSeconds, pods, holdsWorkers }: SimWorkload): Effect[] {
    const rate = (this.#places.expected.requestsPerSecond[index] as number) / pods
    const held = holdsWorkers ? (this.#places.expected.meanSeconds[index] as number) : ownSeconds
    const capacity = this.#chance.between(0.6, 0.92)
    const workers = Math.max(1, Math.floor(rate * held * capacity))
    // Workers are whole: what one of them still has to spare goes in slower work, as on a throttled processor.
    const addSeconds = workers / (rate * capacity) - held
    return [
      this.#effect({ kind: 'workers', workload: index, workers }),
      ...(addSeconds > 0 ? [this.#effect({ kind: 'slow', workload: index, addSeconds })] : []),
    ]
  }

  #two(): Drawn | null {
    const first = this.#places.place()
    const second = first === null ? null : this.#places.place([first.workload.index])
    if (first === null || second === null) return null
    const effects = [this.#slow(first), this.#slow(second)]
    return { effects, culprits: [only(first.workload), only(second.workload)] }
  }

  #seam(): Drawn | null {
    const { calls, workloads } = this.#world
    const place = this.#places.place([], ({ index }) =>
      this.#places.callsTo(index).some((call) => this.#places.crosses(call)),
    )
    if (place === null) return null
    const [over] = this.#chance.some(
      this.#places.callsTo(place.workload.index).filter((call) => this.#places.crosses(call)),
      1,
    )
    if (over === undefined) return null
    const between = (call: SimCall) => `${workloads[call.from]?.cluster}>${workloads[call.to]?.cluster}`
    const same = calls.filter((call) => between(call) === between(over) && this.#places.crosses(call))
    const indices = same.map(({ index }) => index)
    const share = over.count * (this.#places.expected.requestsPerSecond[over.from] as number)
    const all = this.#places.expected.requestsPerSecond[place.workload.index] as number
    const addSeconds = (place.addSeconds * all) / Math.max(0.2 * all, share)
    if (addSeconds > 2 * LONGEST_SECONDS) return null
    const effect = this.#effect({ kind: 'link', calls: indices, addSeconds: addSeconds / 2 })
    return { effects: [effect], culprits: [{ workloads: [], calls: indices }] }
  }

  #ingress(): Drawn | null {
    const place = this.#places.place([], ({ index }) =>
      this.#places.callsTo(index).some(({ style }) => style === 'ingress'),
    )
    if (place === null) return null
    const over = this.#places.callsTo(place.workload.index).find(({ style }) => style === 'ingress')
    const door = over === undefined ? undefined : this.#world.workloads[over.to]
    if (over === undefined || door === undefined) return null
    const share =
      (over.count * (this.#places.expected.requestsPerSecond[over.from] as number)) /
      (this.#places.expected.requestsPerSecond[place.workload.index] as number)
    const addSeconds = place.addSeconds / Math.max(0.2, Math.min(1, share))
    return { effects: [this.#slow({ workload: door, addSeconds })], culprits: [only(door)] }
  }

  #retryStorm(): Drawn | null {
    const place = this.#places.place()
    if (place === null) return null
    const { index } = place.workload
    const calls = this.#world.calls.map((call) =>
      this.#places.callsTo(index).includes(call)
        ? { ...call, timeoutSeconds: Math.min(call.timeoutSeconds, 2), retries: this.#chance.whole(2, 3) }
        : call,
    )
    const fail = this.#fail(place.workload, this.#chance.between(0.3, 0.8))
    const slow = this.#chance.yes(0.5) ? [this.#slow({ ...place, addSeconds: place.addSeconds / 3 })] : []
    return { world: { ...this.#world, calls }, effects: [fail, ...slow], culprits: [only(place.workload)] }
  }

  /** One that has just enough for usual days, under a step of the traffic. */
  #surge(): Drawn | null {
    const place = this.#places.place()
    if (place === null) return null
    const { index, pods, ownSeconds } = place.workload
    const factor = this.#chance.between(1.8, 3)
    const entries = this.#world.entries.map(({ workload }, entry) => ({
      entry,
      visits: this.#places.expected.visits(workload)[index] as number,
    }))
    const surging = entries.filter(({ visits }) => visits > 0.02)
    const rate = (this.#places.expected.requestsPerSecond[index] as number) / pods
    const workers = Math.max(1, Math.floor((rate * Math.max(ownSeconds, 0.02)) / 0.65))
    // Two thirds busy on usual days, more than full in the surge.
    const busyOwn = (0.65 * workers) / rate
    const workloads = this.#world.workloads.map((one) =>
      one.index === index
        ? { ...one, workers, holdsWorkers: false, ownSeconds: Math.min(busyOwn, 0.4), ownSigma: 0.4 }
        : { ...one, workers: one.workers * 4 },
    )
    if (busyOwn > 0.4) return null
    const effects = surging.map(({ entry }) => this.#effect({ kind: 'surge', entry, factor }))
    return { world: { ...this.#world, workloads }, effects, culprits: [only(place.workload)] }
  }

  #podLoss(): Drawn | null {
    const place = this.#places.place()
    if (place === null) return null
    const { index } = place.workload
    const pods = this.#chance.whole(3, 4)
    const rate = (this.#places.expected.requestsPerSecond[index] as number) / pods
    const workers = Math.max(1, Math.floor((rate * 0.04) / 0.55))
    const busyOwn = (0.55 * workers) / rate
    if (busyOwn > 0.4) return null
    const workloads = this.#world.workloads.map((one) =>
      one.index === index ? { ...one, pods, workers, holdsWorkers: false, ownSeconds: busyOwn, ownSigma: 0.4 } : one,
    )
    const effect = this.#effect({ kind: 'pods', workload: index, pods: 1 })
    return { world: { ...this.#world, workloads }, effects: [effect], culprits: [only(place.workload)] }
  }

  /** Several on one machine that all get slower at once: any of them may be named. */
  #neighbours(): Drawn | null {
    const first = this.#places.place()
    if (first === null) return null
    const near = ({ cluster }: SimWorkload) => cluster === first.workload.cluster
    const places: Place[] = [first]
    for (let time = 0; time < this.#chance.whole(1, 4); time += 1) {
      const more = this.#places.place(
        places.map(({ workload }) => workload.index),
        near,
      )
      if (more !== null) places.push(more)
    }
    const culprit = { workloads: places.map(({ workload }) => workload.index), calls: [] }
    return { effects: places.map((place) => this.#slow(place, 0)), culprits: [culprit] }
  }

  #recovered(): Drawn | null {
    const place = this.#places.place()
    if (place === null) return null
    const trouble = this.#chance.between(60, 180)
    const { workload, addSeconds } = place
    const effect = this.#effect(
      { kind: 'slow', workload: workload.index, addSeconds: Math.min(addSeconds, 1) },
      0,
      trouble,
    )
    return { effects: [effect], culprits: [only(workload)], lasting: trouble + this.#chance.between(120, 200) }
  }

  #silentCluster(): Drawn | null {
    const seen = new Set(this.#world.entries.map(({ workload }) => this.#world.workloads[workload]?.cluster))
    const place = this.#places.place([], ({ cluster }) => !seen.has(cluster))
    if (place === null) return null
    return { effects: [this.#slow(place, 0)], culprits: [only(place.workload)], silent: place.workload.cluster }
  }

  #unmeshed(): Drawn | null {
    const called = new Set(this.#world.calls.map(({ from }) => from))
    const place = this.#places.place(
      [],
      ({ index }) => !called.has(index) && this.#places.callsTo(index).every(({ style }) => style === 'local'),
    )
    if (place === null) return null
    const { index } = place.workload
    const workloads = this.#world.workloads.map((one) => (one.index === index ? { ...one, meshed: false } : one))
    const effects = [this.#slow(place, 0)]
    return { world: { ...this.#world, workloads }, effects, culprits: [only(place.workload)] }
  }
}

function only({ index }: SimWorkload): Culprit {
  return { workloads: [index], calls: [] }
}
