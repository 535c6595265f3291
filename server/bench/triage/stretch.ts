import { BucketColumns } from '../../src/domain/bucket-columns.ts'
import type { Inbound, Observation, Outbound } from '../../src/domain/observation.ts'
import type { Traffic } from '../../src/domain/traffic.ts'

/** A stretch of an observation's steps, without copying them. Of what verdicts need: no buckets, no bytes. */
export function stretchOf(whole: Observation, from: number, steps: number): Observation {
  const cut = (traffic: Traffic): Traffic => ({
    success: traffic.success.subarray(from, from + steps),
    failures: traffic.failures.subarray(from, from + steps),
    latencySeconds: traffic.latencySeconds.subarray(from, from + steps),
    latencyCount: traffic.latencyCount.subarray(from, from + steps),
    buckets: new BucketColumns(steps),
  })
  const parts = (map: ReadonlyMap<string, Traffic>) => new Map([...map].map(([key, traffic]) => [key, cut(traffic)]))
  const inbound = ([id, one]: [string, Inbound]): [string, Inbound] => [
    id,
    { ...one, total: cut(one.total), byHost: parts(one.byHost), byClient: parts(one.byClient) },
  ]
  const outbound = ([key, one]: [string, Outbound]): [string, Outbound] => [key, { ...one, traffic: cut(one.traffic) }]
  return {
    ...whole,
    steps,
    inbound: new Map([...whole.inbound].map(inbound)),
    outbound: new Map([...whole.outbound].map(outbound)),
    pods: new Map([...whole.pods].map(([id, pods]) => [id, pods.subarray(from, from + steps)])),
  }
}
