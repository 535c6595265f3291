import type { Call, World } from './types.ts'
import { knownRate, RATE_TOLERANCE, RATES_ALONE } from './weigh.ts'

/** More addresses than this are not tried in every combination. */
const MOST_ADDRESSES = 12

/**
 * A proxy that counts its calls by host counts them by address as well: adding both would count them twice, and hosts
 * tell more. Which of a caller's addresses its hosts stand behind is not labelled: it is the set whose rates add up
 * to theirs. Hosts that take the place of the address in one and the same metric (Linkerd 2.8) count nothing twice, and
 * tell themselves by measuring what that metric does. Addresses of pods are left out, for who dials a pod asks for no host.
 */
export function coveredAddresses(from: string, world: World): ReadonlySet<Call> {
  const own = world.callsFrom.get(from) ?? []
  const hosts = own
    .filter(({ destination, measure }) => destination.kind === 'host' && measure === 'full')
    .reduce((sum, { rates }) => sum + knownRate(rates), 0)
  const dialled = own.filter(
    ({ destination }) =>
      destination.kind === 'address' && !world.addressOwners.has(destination.address.replace(/:\d+$/, '')),
  )
  if (hosts <= 0 || dialled.length === 0) return new Set()
  const all = dialled.reduce((sum, call) => sum + knownRate(call.rates), 0)
  const fallback = hosts >= (1 - RATE_TOLERANCE) * all ? new Set(dialled) : new Set<Call>()
  if (dialled.length > MOST_ADDRESSES) return fallback
  // Private addresses may be pods that nobody reports: they need the closer match, and that it cannot be the others, of
  // whose attempts there may be more than requests.
  const open = dialled.filter(({ destination }) => destination.kind === 'address' && !PRIVATE.test(destination.address))
  const attempts = open.reduce((sum, { rates }) => sum + knownRate(rates), 0)
  const enough = attempts >= (1 - RATE_TOLERANCE) * hosts
  const match = closest(open, hosts, RATES_ALONE) ?? (enough ? null : closest(dialled, hosts, COUNTED_ALIKE))
  // Hosts count requests, addresses attempts: retries keep them apart. Hiding a call is worse than showing it twice.
  return match === null ? fallback : new Set(match)
}

const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/
/** One proxy's counts of the same requests, by host and by address. */
const COUNTED_ALIKE = 0.01

/** The set of calls whose rates come closest to a sum; null where none comes close enough. */
function closest(calls: readonly Call[], sum: number, tolerance: number): readonly Call[] | null {
  let best: { set: readonly Call[]; off: number } = { set: [], off: sum }
  for (let mask = 1; mask < 1 << calls.length; mask += 1) {
    const set = calls.filter((_, index) => mask & (1 << index))
    const off = Math.abs(set.reduce((total, { rates }) => total + knownRate(rates), 0) - sum)
    if (off < best.off) best = { set, off }
  }
  return best.off <= tolerance * sum ? best.set : null
}
