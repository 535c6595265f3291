import type { OwnPart } from '../contract/index.ts'
import { type OwnRange, ownPartOf, ownPartText } from '../domain/own-part.ts'
import type { Situation } from '../domain/situation.ts'

export function presentOwnPart(situation: Situation, id: string): OwnPart {
  const part = ownPartOf(situation, id)
  const { latency, failures } = part
  return {
    latency: { nowSeconds: ends(latency.now), changeSeconds: ends(latency.change), reason: latency.reason },
    failures: { nowPerSecond: ends(failures.now), morePerSecond: ends(failures.more) },
    text: ownPartText(part, situation.assessment.workloads.get(id)?.now.meanSeconds ?? null),
  }
}

function ends(range: OwnRange | null): [number, number] | null {
  return range === null ? null : [range.low, range.high]
}
