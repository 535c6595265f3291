import { knownId, type WorkloadRef, workloadId } from './identity.ts'
import type { Observation, Outbound } from './observation.ts'
import { addFactInto, type Signals } from './signals.ts'

const CALLS = ' calls '

/**
 * What facts about a workload's calls to a service are kept under while its calls are not known: they come in a lane of
 * their own, at another time. `name` is the service's `name.namespace`, or the host that is asked for.
 */
export function callsKey(from: WorkloadRef, name: string): string {
  return `${workloadId(from)}${CALLS}${name}`
}

/** The facts on the calls that they are about; on the workload where it is not seen to call that service. */
export function placedOnCalls(
  signals: Observation['signals'],
  outbound: Observation['outbound'],
): Observation['signals'] {
  if (![...signals.keys()].some((key) => key.includes(CALLS))) return signals
  const callsOf = byNames(outbound)
  const placed = new Map<string, Signals>()
  for (const [key, facts] of signals) {
    const from = key.indexOf(CALLS)
    const places = from < 0 ? [key] : (callsOf.get(key) ?? [key.slice(0, from)])
    for (const place of places) placed.set(place, withFacts(placed.get(place), facts))
  }
  return placed
}

function byNames(outbound: Observation['outbound']): Map<string, string[]> {
  const keys = new Map<string, string[]>()
  for (const [key, flow] of outbound) {
    for (const name of namesOf(flow)) {
      const under = `${knownId(flow.from)}${CALLS}${name}`
      const known = keys.get(under)
      if (known === undefined) keys.set(under, [key])
      else known.push(key)
    }
  }
  return keys
}

/** What the service that is called goes by. */
function namesOf({ destination, clues }: Outbound): ReadonlySet<string> {
  switch (destination.kind) {
    case 'workload':
    case 'pod':
      if (destination.service === null) return clues.hosts
      return new Set([...clues.hosts, `${destination.service}.${destination.workload.namespace}`])
    case 'mirror':
    case 'service':
      return new Set([...clues.hosts, `${destination.service}.${destination.namespace}`])
    default:
      return clues.hosts
  }
}

/** Where several services lead to one place, what is told of them is put together. Neither is changed. */
function withFacts(known: Signals | undefined, more: Signals): Signals {
  if (known === undefined) return more
  const both = new Map(known)
  for (const [name, column] of more) {
    const sum = both.get(name)?.slice()
    if (sum !== undefined) addFactInto(sum, name, column)
    both.set(name, sum ?? column)
  }
  return both
}
