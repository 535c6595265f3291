import { parseWorkloadId, type WorkloadRef } from '../domain/identity.ts'
import { isAffected } from '../domain/situation.ts'
import type { Snapshot } from './snapshot.ts'

/** A page asks again within this many refreshes while somebody looks at it. */
const LOOKED_AT_REFRESHES = 3

/** Whose percentiles are worth knowing at each refresh: workloads in trouble, and those on somebody's screen. */
export class HotWorkloads {
  readonly #lookedAtUntil = new Map<string, number>()

  /** Somebody has these on screen. */
  lookedAt(ids: Iterable<string>, nowSeconds: number, refreshSeconds: number): void {
    for (const id of ids) this.#lookedAtUntil.set(id, nowSeconds + LOOKED_AT_REFRESHES * refreshSeconds)
  }

  /** Those on screen first, then suspects with the way to them, then whoever suffers. */
  now(last: Snapshot | null, nowSeconds: number): readonly WorkloadRef[] {
    const ids = new Set<string>()
    for (const [id, untilSeconds] of this.#lookedAtUntil) {
      if (untilSeconds < nowSeconds) this.#lookedAtUntil.delete(id)
      else ids.add(id)
    }
    const suspects = last?.judgement.suspects ?? []
    for (const { id, path } of suspects) for (const one of [id, ...path]) ids.add(one)
    for (const id of last?.judgement.affected ?? []) ids.add(id)
    for (const workload of last?.situation.assessment.workloads.values() ?? []) {
      if (isAffected(workload)) ids.add(workload.id)
    }
    return [...ids].flatMap((id) => parseWorkloadId(id) ?? [])
  }
}
