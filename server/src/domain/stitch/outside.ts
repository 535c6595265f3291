import { workloadId } from '../identity.ts'
import type { Call } from './types.ts'

/** The id of a node that nobody measures. */
export function outsideId(call: Call): string {
  const { destination } = call
  switch (destination.kind) {
    case 'workload':
      return workloadId(destination.workload)
    // The label names a workload of some cluster: drawing it in the caller's own would be a guess.
    case 'pod':
      return `outside/${call.cluster}/${destination.workload.namespace}/${destination.asked}`
    case 'unknown':
      return `outside/${call.cluster}/${destination.what}`
    case 'host':
      return `outside/${destination.host}`
    // The same private address may be another machine in every cluster.
    case 'address':
      return `outside/${call.cluster}/${destination.address}`
    case 'mirror':
    case 'service':
      return `outside/${destination.cluster}/${destination.namespace}/${destination.service}`
    default:
      return destination satisfies never
  }
}

/** What the destination is called by, in words; null where the labels name a workload and nothing else. */
export function destinationText({ destination }: Call): string | null {
  switch (destination.kind) {
    case 'workload':
      return destination.service
    case 'pod':
      return `${destination.asked}.${destination.workload.namespace}`
    case 'unknown':
      return destination.what
    case 'host':
      return destination.host
    case 'address':
      return destination.address
    case 'mirror':
    case 'service':
      return `${destination.service}.${destination.namespace}`
    default:
      return destination satisfies never
  }
}
