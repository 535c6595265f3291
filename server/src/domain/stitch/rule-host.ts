import { remembered } from '../remembered.ts'
import { matchesAddress, matchesGlob } from './glob.ts'
import { type Exposure, isOfHost } from './inventory.ts'
import { candidates, targetsBehind } from './target.ts'
import type { Call, KnownWorkload, Rates, Rule, Target, World } from './types.ts'
import { compareRates, explains, knownRate, sumRates } from './weigh.ts'
import { sameDestination } from './world.ts'

/** A cluster that is asked for the host: where it arrives, how often, and who answers in the end. */
interface Exposing {
  readonly cluster: string
  readonly arrivesAt: readonly string[]
  readonly rates: Rates
  readonly ends: readonly Target[]
}

/**
 * Rule 5: the host that the caller asked for is one that another cluster's workloads, or its ingress controller, are
 * asked for. Only one cluster may be meant, at the address that was dialled, and both ends must count alike.
 */
export const host: Rule = {
  name: 'host',
  resolve(call, world) {
    if (call.destination.kind !== 'host') return null
    const name = call.destination.host
    const { exposing, asking: askingFor } = exposureOf(name, call, world)
    if (exposing.length === 0) return null
    const dialled = addressEvidence(call, exposing, world)
    const [meant, ...more] = dialled.possible
    const evidence = exposing.map((one) => {
      const asking = askingFor.get(one) ?? { now: null, before: null }
      const verdict = compareRates(asking, one.rates)
      const agree = verdict.agree && explains(asking, call.rates, one.rates)
      return { one, agree, text: `${name} is asked for at ${one.arrivesAt.join(', ')}: ${verdict.text}` }
    })
    const agreed =
      meant !== undefined &&
      more.length === 0 &&
      dialled.agrees &&
      evidence.some((one) => one.one === meant && one.agree)
    const texts = [...evidence.map(({ text }) => text), ...(dialled.text === null ? [] : [dialled.text])]
    if (exposing.length > 1) {
      const left = meant !== undefined && more.length === 0 ? `, of which the address leaves ${meant.cluster}` : ''
      texts.push(`${exposing.length} clusters expose ${name}: any of them may be meant${left}`)
    }
    return {
      rule: 'host',
      confidence: agreed ? 'dashed' : 'dotted',
      evidence: [`joined by host ${name}`, ...texts],
      targets: agreed ? meant.ends : exposing.flatMap(({ ends }) => ends.map((end) => ({ ...end, share: 1 }))),
    }
  },
}

interface HostExposure {
  readonly exposing: readonly Exposing[]
  /** For each, all calls of the host that may go to it; those that surely go to another are left out. */
  readonly asking: ReadonlyMap<Exposing, Rates>
}

/** Worked out once for all who call the host: thousands may. */
function exposureOf(name: string, call: Call, world: World): HostExposure {
  const known = exposures(world).get(name)
  if (known !== undefined) return known
  const exposing = exposingOf(name, world)
  const calls = exposing.length === 0 ? [] : sameDestination(call, world)
  const reachable = calls.map((other) => ({
    rates: other.rates,
    possible: addressEvidence(other, exposing, world).possible,
  }))
  const asking = new Map(
    exposing.map((one) => [
      one,
      sumRates(reachable.flatMap(({ rates, possible }) => (possible.includes(one) ? [rates] : []))),
    ]),
  )
  const made = { exposing, asking }
  exposures(world).set(name, made)
  return made
}

const exposures = remembered((_: World) => new Map<string, HostExposure>())

function exposingOf(name: string, world: World): Exposing[] {
  const asked = world.askedFor.get(name) ?? []
  const exposed = world.exposed.filter((one) => isOfHost(one, name))
  const clusters = new Set([...asked.map((workload) => workload.ref.cluster), ...exposed.map(({ cluster }) => cluster)])
  return [...clusters].map((cluster): Exposing => {
    const here = asked.filter((workload) => workload.ref.cluster === cluster)
    const doors = here.filter((workload) => world.ingressIds.has(workload.id))
    const counted = exposed.filter((one) => one.cluster === cluster)
    const controllers = counted.flatMap(({ door }) => door ?? [])
    const rateOf = (list: readonly KnownWorkload[]) => sumRates(list.map((workload) => workload.byHost.get(name)))
    if (doors.length === 0 && counted.length > 0) {
      const now = counted.reduce((sum, { requestsPerSecond }) => sum + (requestsPerSecond ?? 0), 0)
      const ends = endsBehind(name, here, counted, controllers, world)
      const arrivesAt = controllers.length > 0 ? controllers : counted.map(({ source }) => `${source} (${cluster})`)
      return { cluster, arrivesAt: [...new Set(arrivesAt)], rates: { now, before: now }, ends }
    }
    const arriving = doors.length > 0 ? doors : here
    return {
      cluster,
      arrivesAt: arriving.map(({ id }) => id),
      rates: rateOf(arriving),
      ends: receivers(name, here, doors, world),
    }
  })
}

/** The workloads behind a cluster's ingress that are asked for the host; the ingress itself where none tells. */
function receivers(
  name: string,
  here: readonly KnownWorkload[],
  doors: readonly KnownWorkload[],
  world: World,
): readonly Target[] {
  const ends = here.filter((workload) => !world.ingressIds.has(workload.id))
  const via = doors[0]?.id ?? null
  if (ends.length === 0) return doors.map((door) => ({ id: door.id, share: 1 / doors.length, via: null, host: name }))
  const rateFor = (end: KnownWorkload) => knownRate(end.byHost.get(name) ?? { now: null, before: null })
  const total = ends.reduce((sum, end) => sum + rateFor(end), 0)
  return ends.map((end) => ({ id: end.id, share: total > 0 ? rateFor(end) / total : 1 / ends.length, via, host: name }))
}

/** What the controller says it sends the host's requests on to; the controller where its services are not known. */
function endsBehind(
  name: string,
  here: readonly KnownWorkload[],
  counted: readonly Pick<Exposure, 'service' | 'requestsPerSecond'>[],
  controllers: readonly string[],
  world: World,
): readonly Target[] {
  const via = controllers[0] ?? null
  if (here.length > 0) return receivers(name, here, [], world).map((end) => ({ ...end, via }))
  const total = counted.reduce((sum, { requestsPerSecond }) => sum + (requestsPerSecond ?? 0), 0)
  const ends = counted.flatMap(({ service, requestsPerSecond }) => {
    const part = total > 0 ? (requestsPerSecond ?? 0) / total : 1 / counted.length
    const behind = service === null ? null : targetsBehind(service, world)
    return (behind ?? []).map((end) => ({ ...end, share: end.share * part, via }))
  })
  return ends.length > 0 ? ends : candidates(controllers).map((end) => ({ ...end, share: 1 / controllers.length }))
}

/** Which of the exposing clusters the caller can have meant, by the addresses that it dials outside the mesh. */
function addressEvidence(
  call: Call,
  exposing: readonly Exposing[],
  world: World,
): { possible: readonly Exposing[]; agrees: boolean; text: string | null } {
  const dialled = (world.callsFrom.get(call.from) ?? []).flatMap(({ destination }) =>
    destination.kind === 'address' ? [destination.address] : [],
  )
  const name = call.destination.kind === 'host' ? call.destination.host : ''
  if (dialled.length === 0) return { possible: exposing, agrees: true, text: null }
  const doorsOf = (cluster: string) =>
    world.doors.filter((door) => door.cluster === cluster && door.addresses.length > 0)
  const at = ({ cluster }: Exposing) =>
    dialled.find((address) =>
      doorsOf(cluster).some((door) => door.addresses.some((glob) => matchesAddress(glob, address))),
    )
  const possible = exposing.filter((one) => doorsOf(one.cluster).length === 0 || at(one) !== undefined)
  const [found] = possible.filter((one) => at(one) !== undefined)
  if (found !== undefined) {
    const text = `the caller dials ${at(found)}, the ingress of ${found.cluster}`
    return { possible, agrees: true, text }
  }
  if (possible.length > 0) return { possible, agrees: true, text: null }
  // An address that nobody declared may be one more of the ingress; one that was declared for the host would be it.
  const declared = world.doors.some((door) => door.hosts.some((glob) => matchesGlob(glob, name)))
  const foreign = dialled.every((address) =>
    world.doors.some((door) => door.addresses.some((glob) => matchesAddress(glob, address))),
  )
  const where = exposing.map(({ cluster }) => cluster).join(', ')
  const text = `the caller dials none of the addresses of ${where}`
  return declared || foreign ? { possible, agrees: false, text } : { possible: exposing, agrees: true, text: null }
}
