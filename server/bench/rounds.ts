import type { Bench } from './bench.ts'

/** By name, what is measured once in each round. */
type Candidates<T> = { readonly [Name in keyof T]: () => Promise<T[Name]> }

interface RoundsOptions {
  /** Fewer than `--pairs`, where a round takes its time. */
  readonly most?: number
  /** Unix seconds after which nothing can be measured any more; the samples of the world have such an end in any case. */
  readonly endsAtSeconds?: number
}

/** Once may have been bad luck. */
const FAILURES_LIMIT = 2

/**
 * Measures every candidate once a round, each round in another order. No further round is begun that would probably end
 * too late. A candidate that fails is named in the report and missing from that round: what was measured besides stands.
 */
export async function inRounds<T extends object>(
  { world, report, pairs, limitSeconds, say }: Bench,
  measure: string,
  candidates: Candidates<T>,
  { most = pairs, endsAtSeconds = world.toSeconds }: RoundsOptions = {},
): Promise<Partial<T>[]> {
  const until = Math.min(Date.now() + limitSeconds * 1_000, endsAtSeconds * 1_000, world.toSeconds * 1_000)
  const names = Object.keys(candidates) as (string & keyof T)[]
  const failures: (keyof T)[] = []
  const failuresOf = (name: keyof T) => failures.filter((failed) => failed === name).length
  const rounds: Partial<T>[] = []
  let longestMs = 0
  while (rounds.length < Math.min(pairs, most) && Date.now() + longestMs < until) {
    const began = Date.now()
    const first = rounds.length % names.length
    const inTurn = [...names.slice(first), ...names.slice(0, first)]
    const left = inTurn.filter((name) => failuresOf(name) < FAILURES_LIMIT)
    if (left.length === 0) break
    const round: Partial<T> = {}
    rounds.push(round)
    for (const name of left) {
      // What failed may have taken the time of all: a query that ran into its limit.
      if (failures.length > 0 && Date.now() > until) break
      try {
        round[name] = await candidates[name]()
      } catch (error) {
        failures.push(name)
        report.failed(`${measure}: ${name}, round ${rounds.length}`, error)
      }
    }
    longestMs = Math.max(longestMs, Date.now() - began)
    say('.')
  }
  say('\n')
  if (rounds.length === 0) throw new Error('no time is left: what there is to ask for ends')
  return rounds
}

/** What was measured of one candidate, and nothing where it was not. */
export function measured<T, Name extends keyof T>(rounds: readonly Partial<T>[], name: Name): T[Name][] {
  return rounds.flatMap(({ [name]: value }) => (value === undefined ? [] : [value as T[Name]]))
}

/** One number of one candidate, by round: undefined where it was not measured, so that what is paired stays paired. */
export function column<T, Name extends keyof T>(
  rounds: readonly Partial<T>[],
  name: Name,
  numberOf: (value: T[Name]) => number,
): (number | undefined)[] {
  return rounds.map(({ [name]: value }) => (value === undefined ? undefined : numberOf(value as T[Name])))
}
