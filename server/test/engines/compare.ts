import { PERCENTILES } from '../../src/domain/golden.ts'
import { numbersOf, type Ours, tieOf } from './ours.ts'
import type { Theirs } from './theirs.ts'

const TOLERANCE = 1e-9

export interface Comparison {
  /** One line for each number that differs. */
  readonly differences: readonly string[]
  readonly compared: number
  /** Numbers that both sides leave unknown: nothing to divide by. */
  readonly unknown: number
  readonly ties: number
}

/** Holds every number of every flow against PromQL's: NaN and "no such series" are null with us. */
export function compare(ours: ReadonlyMap<string, Ours>, theirs: Theirs): Comparison {
  const differences: string[] = []
  let [compared, unknown, ties] = [0, 0, 0]
  for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
    const mine = ours.get(key)
    const numbers = mine === undefined ? new Map<string, number | null>() : numbersOf(mine)
    for (const name of ['rps', 'success', 'mean', ...PERCENTILES.map((percentile) => percentile.name)]) {
      const our = numbers.get(name) ?? null
      const their = theirs.get(key)?.get(name) ?? Number.NaN
      compared += 1
      if (our === null && Number.isNaN(their)) {
        unknown += 1
        continue
      }
      if (our !== null && isEqual(our, their)) continue
      if (mine !== undefined && isTie(name, mine, our, their)) ties += 1
      else differences.push(`${key} ${name}: ours ${our}, theirs ${their}`)
    }
  }
  return { differences, compared, unknown, ties }
}

function isEqual(our: number, their: number): boolean {
  return our === their || Math.abs(our - their) <= TOLERANCE * Math.max(Math.abs(our), Math.abs(their))
}

function isTie(name: string, { histogram }: Ours, our: number | null, their: number): boolean {
  const q = PERCENTILES.find((percentile) => percentile.name === name)?.q
  const tie = q === undefined || histogram === null ? null : tieOf(q, histogram)
  if (tie === null || our === null) return false
  const [low, high] = [tie[0] * (1 - TOLERANCE), tie[1] * (1 + TOLERANCE)]
  return [our, their].every((value) => value >= low && value <= high)
}
