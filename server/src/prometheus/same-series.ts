import { labelsApart } from '../domain/apart.ts'
import type { KnownLabels } from './known-labels.ts'
import type { ScannedSeries } from './scan-vector.ts'
import { UpstreamError } from './upstream-error.ts'

/**
 * Refuses an answer that has a series twice: added up it would count twice, and which of the two is right nobody tells. No
 * PromQL engine answers so ("vector cannot contain metrics with the same labelset"); what puts answers together may.
 */
export function checkEachOnce({ setOf, apartOf }: Pick<ScannedSeries, 'setOf' | 'apartOf'>, known: KnownLabels): void {
  const at = firstAgain(setOf, apartOf)
  if (at === null) return
  throw toldTwice({ ...known.sets.labelsOf(setOf[at] as number), ...known.aparts.labelsOf(apartOf[at] as number) })
}

/** The same for series that are read one by one. */
export class EachOnce {
  readonly #met = new Set<string>()

  check(labels: Readonly<Record<string, string>>): void {
    const { labels: flow, apart } = labelsApart(labels)
    const key = JSON.stringify([flow, apart])
    if (this.#met.has(key)) throw toldTwice(labels)
    this.#met.add(key)
  }
}

function toldTwice(labels: Readonly<Record<string, string>>): UpstreamError {
  const series = `{${Object.entries(labels).map(([name, value]) => `${name}="${value}"`)}}`.slice(0, 200)
  const text = `it tells one series twice: ${series}; look at what puts its answers together (a proxy, a store without deduplication)`
  return new UpstreamError('malformed', text)
}

/** The first index of a pair that was there before; null where each is there once. Open addressing: 0 = free. */
function firstAgain(setOf: Uint32Array, apartOf: Uint32Array): number | null {
  let size = 16
  while (size < 2 * setOf.length) size *= 2
  const slots = new Uint32Array(size)
  const mask = size - 1
  for (let index = 0; index < setOf.length; index += 1) {
    const [set, apart] = [setOf[index] as number, apartOf[index] as number]
    let slot = (Math.imul(set, 31) + Math.imul(apart, 0x9e37_79b1)) & mask
    for (let known = slots[slot] as number; known !== 0; known = slots[slot] as number) {
      if (setOf[known - 1] === set && apartOf[known - 1] === apart) return index
      slot = (slot + 1) & mask
    }
    slots[slot] = index + 1
  }
  return null
}
