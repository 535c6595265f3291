import { spoken, workloadId } from '../identity.ts'
import { perSecond } from '../phrase.ts'
import { matchesAddress, matchesGlob } from './glob.ts'
import { candidates, target, targetsBehind } from './target.ts'
import type { Call, Door, Resolution, Rule, Target, World } from './types.ts'
import { compareRates, knownRate, RATES_ALONE, rateOfAll } from './weigh.ts'
import { sameDestination } from './world.ts'

/** Rule 6: the address or host is another cluster's ingress; behind it, only the ingress's own calls are known. */
export const ingress: Rule = {
  name: 'ingress',
  resolve(call, world) {
    const { destination } = call
    const name =
      destination.kind === 'address' ? destination.address : destination.kind === 'host' ? destination.host : ''
    const doors = world.doors.filter((door) =>
      destination.kind === 'address'
        ? door.addresses.some((glob) => matchesAddress(glob, destination.address))
        : destination.kind === 'host' && door.hosts.some((glob) => matchesGlob(glob, destination.host)),
    )
    const [door] = doors
    if (door === undefined) return destination.kind === 'host' ? byDialling(call, name, world) : null
    const places = new Set(doors.map((one) => one.workload))
    if (places.size > 1) {
      const names = [...places].map(spoken).join(', ')
      const evidence = [`${name} leads to ${names}: any of them may be meant`]
      return { rule: 'ingress', confidence: 'dotted', evidence, targets: candidates(places) }
    }
    const same = sameDestination(call, world)
    const single = same.every((other) => other.from === call.from)
    const evidence = `${name} is the ingress ${spoken(door.workload)} ${door.source}`
    return through(call, same, single, evidence, door, world)
  },
}

/** A host that nobody knows, asked for by a caller that dials one address only: the host is behind that one. */
function byDialling(call: Call, name: string, world: World): Resolution | null {
  const own = world.callsFrom.get(call.from) ?? []
  const dialled = own.filter(
    ({ destination }) =>
      destination.kind === 'address' && !world.addressOwners.has(destination.address.replace(/:\d+$/, '')),
  )
  const [only] = dialled
  if (only?.destination.kind !== 'address' || dialled.length > 1) return null
  const { address } = only.destination
  const doors = world.doors.filter((one) => one.addresses.some((glob) => matchesAddress(glob, address)))
  const [door] = doors
  if (door === undefined || new Set(doors.map(({ workload }) => workload)).size > 1) return null
  const hosts = own.filter(({ destination }) => destination.kind === 'host')
  const same = sameDestination(only, world)
  const single = hosts.length === 1 && same.every((other) => other.from === call.from)
  const evidence = `${name}: the caller dials ${address} only, the ingress ${spoken(door.workload)} ${door.source}`
  return through(call, same, single, evidence, door, world)
}

/** `same`: all calls of the ingress's address or host; `single`: they are this call and no other. */
function through(
  call: Call,
  same: readonly Call[],
  single: boolean,
  how: string,
  door: Door,
  world: World,
): Resolution {
  const evidence = [how]
  const inner = innerCalls(door, world)
  if (inner.length === 0) {
    evidence.push(
      world.silent.has(door.cluster) ? `${door.cluster} does not answer` : 'what lies behind it is not measured',
    )
    return { rule: 'ingress', confidence: 'dashed', evidence, targets: [target(door.workload)], open: true }
  }
  const verdict = compareRates(rateOfAll(same), rateOfAll(inner), RATES_ALONE)
  evidence.push(`calls of the ingress: ${verdict.text}`)
  const ends = new Set(inner.map(({ to }) => to))
  const certain = verdict.agree && (ends.size === 1 || single)
  const sum = inner.reduce((all, other) => all + knownRate(other.rates), 0)
  const calling = knownRate(call.rates)
  if (!certain) {
    evidence.push('who of its callers calls what behind it is an assumption')
    for (const { to, rates } of inner) {
      const rate = knownRate(rates)
      const least = Math.max(0, calling - (sum - rate))
      evidence.push(
        `${spoken(to)}: between ${perSecond(least)} and ${perSecond(Math.min(calling, rate))} of these calls`,
      )
    }
  }
  return {
    rule: 'ingress',
    confidence: certain ? 'dashed' : 'dotted',
    evidence,
    targets: inner.map(({ to, rates }): Target => {
      const share = sum > 0 ? knownRate(rates) / sum : 1 / inner.length
      return { id: to, share, via: door.workload, host: null }
    }),
  }
}

/** What the ingress calls: by its own proxy, which names workloads or services, else as its controller counts. */
function innerCalls(door: Door, world: World): { to: string; rates: Call['rates'] }[] {
  const own = (world.callsFrom.get(door.workload) ?? []).flatMap(({ destination, rates }) => {
    if (destination.kind === 'workload') return [{ to: workloadId(destination.workload), rates }]
    if (destination.kind !== 'service') return []
    return parts(`${destination.cluster}/${destination.namespace}/${destination.service}`, rates, world)
  })
  if (own.length > 0) return own
  return world.exposed
    .filter((one) => one.cluster === door.cluster && (one.door === null || one.door === door.workload))
    .flatMap(({ service, requestsPerSecond: rate }) =>
      service === null ? [] : parts(service, { now: rate, before: rate }, world),
    )
}

/** Calls of a service as calls of the workloads behind it. */
function parts(service: string, { now, before }: Call['rates'], world: World): { to: string; rates: Call['rates'] }[] {
  const of = (rate: number | null, share: number) => (rate === null ? null : rate * share)
  return (targetsBehind(service, world) ?? []).map(({ id, share }) => ({
    to: id,
    rates: { now: of(now, share), before: of(before, share) },
  }))
}
