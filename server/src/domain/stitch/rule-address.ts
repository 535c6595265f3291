import { spoken, workloadId } from '../identity.ts'
import { rangeOf } from './places.ts'
import { candidates, clusterOf, target } from './target.ts'
import type { Call, KnownWorkload, Rates, Resolution, Rule, World } from './types.ts'
import { compareRates, explains, RATES_ALONE, rateOfAll, sumRates } from './weigh.ts'

/**
 * Rule 4: the address that was dialled is one that exactly one cluster's pods report as their own. Private addresses
 * repeat: only where the range is one cluster's alone, and what the pod says of itself agrees, is that certain.
 */
export const address: Rule = {
  name: 'address',
  resolve(call, world) {
    const { destination } = call
    const dialled = 'address' in destination ? destination.address : null
    if (dialled === null) return null
    const ip = dialled.replace(/:\d+$/, '')
    const owners = [...(world.addressOwners.get(ip) ?? [])]
    if (owners.length === 0) return null
    return destination.kind === 'pod'
      ? byLabels(call, ip, owners, workloadId(destination.workload), world)
      : byRate(call, ip, owners, world)
  },
}

/** Labels name the workload and leave the cluster open. */
function byLabels(call: Call, ip: string, owners: readonly string[], named: string, world: World): Resolution | null {
  const place = named.slice(named.indexOf('/'))
  const meant = owners.filter((id) => id.endsWith(place))
  const [id] = meant
  if (id === undefined) return null
  if (meant.length > 1) return several(ip, meant)
  const shared = rangeIsShared(ip, world)
  return {
    rule: 'address',
    confidence: shared === null ? 'solid' : 'dashed',
    evidence: [
      `${ip} is an address of ${spoken(id)}, and the labels name ${place.slice(1)} as well`,
      ...(shared === null ? [] : [shared]),
      ...(call.serverId === null ? [] : [`it showed the identity ${call.serverId}`]),
    ],
    targets: [target(id)],
  }
}

/** Nothing but the address: then the callers of this address must be what arrives without anybody's identity. */
function byRate(call: Call, ip: string, owners: readonly string[], world: World): Resolution {
  const [id] = owners
  if (id === undefined || owners.length > 1) return several(ip, owners)
  const own = clusterOf(id) === call.cluster
  const shared = rangeIsShared(ip, world)
  const callee = world.workloads.get(id)
  const calling = world.calls.filter(
    ({ destination }) =>
      destination.kind === 'address' &&
      world.addressOwners.get(destination.address.replace(/:\d+$/, ''))?.has(id) === true,
  )
  const arriving = callee === undefined ? NONE : unnamed(callee)
  const verdict = compareRates(rateOfAll(calling), arriving, RATES_ALONE)
  const agree = verdict.agree && explains(rateOfAll(calling), call.rates, arriving)
  const certain = own || (shared === null && agree)
  return {
    rule: 'address',
    confidence: certain ? 'dashed' : 'dotted',
    evidence: [
      `${ip} is an address of ${spoken(id)} and of nobody else's`,
      own ? 'in the same cluster' : `requests without an identity: ${verdict.text}`,
      ...(shared === null ? [] : [shared]),
    ],
    targets: [target(id)],
  }
}

const NONE: Rates = { now: null, before: null }

/** What arrives from callers whose identity the callee does not know. */
function unnamed({ total, byClient, byHost }: KnownWorkload): Rates {
  const named = sumRates([...byClient.values()])
  const less = (all: number | null, part: number | null) => (all === null ? null : Math.max(0, all - (part ?? 0)))
  // Whoever is asked for a host was not called by a bare address.
  const hosts = sumRates([...byHost.values()])
  const byWhat = (pick: (rates: Rates) => number | null) => Math.max(pick(named) ?? 0, pick(hosts) ?? 0)
  return {
    now: less(
      total.now,
      byWhat((rates) => rates.now),
    ),
    before: less(
      total.before,
      byWhat((rates) => rates.before),
    ),
  }
}

function several(ip: string, ids: readonly string[]): Resolution {
  const names = ids.map(spoken).join(', ')
  return {
    rule: 'address',
    confidence: 'dotted',
    evidence: [`${ip} is an address of ${names}: any of them may be meant`],
    targets: candidates(ids),
  }
}

function rangeIsShared(ip: string, world: World): string | null {
  const clusters = [...(world.ranges.get(rangeOf(ip)) ?? [])]
  if (clusters.length < 2) return null
  return `pods of ${clusters.join(' and ')} have addresses in ${rangeOf(ip)}.*: the ranges overlap`
}
