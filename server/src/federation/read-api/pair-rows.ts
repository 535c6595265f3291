import { NotJoinable, type SetOperator } from './join-plan.ts'
import type { JoinRow, Rows, Value } from './join-row.ts'
import type { Filled, PairStep } from './numbers-around.ts'

/** Each two numbers of the same labels and instant; where one is missing and nothing stands in for it, there is none. */
export function paired(left: Rows, right: Rows, step: PairStep, fill: Filled): Rows {
  const keys = fill.left === null ? left.keys() : new Set([...left.keys(), ...right.keys()])
  return new Map(
    [...keys].flatMap((key): [string, JoinRow][] => {
      const [one, other] = [left.get(key), right.get(key)]
      const labels = (one ?? other)?.labels
      if (labels === undefined) return []
      const made = instantsOf([one, other].flatMap((row) => row ?? [])).flatMap((second): [number, Value][] => {
        const [value, beside] = [one?.at.get(second) ?? fill.left, other?.at.get(second) ?? fill.right]
        const found = value === null || beside === null ? null : step(aNumber(value), aNumber(beside))
        return found === null ? [] : [[second, found]]
      })
      return [[key, { labels, at: new Map(made) }]]
    }),
  )
}

export function asSets(left: Rows, right: Rows, operator: SetOperator): Rows {
  const isThere = (key: string, second: number) => right.get(key)?.at.has(second) === true
  if (operator !== 'or') {
    const keeps = (key: string, second: number) => isThere(key, second) === (operator === 'and')
    return new Map(
      [...left].map(([key, { labels, at }]) => [
        key,
        { labels, at: new Map([...at].filter(([second]) => keeps(key, second))) },
      ]),
    )
  }
  const all = new Map([...right, ...left])
  return new Map(
    [...all].map(([key, { labels }]) => {
      // What stands on the left covers what stands on the right.
      const both = [...(right.get(key)?.at ?? []), ...(left.get(key)?.at ?? [])]
      return [key, { labels, at: new Map([...new Map(both)].sort(([one], [other]) => one - other)) }]
    }),
  )
}

export function aNumber(value: Value): number {
  if (typeof value === 'number') return value
  throw new NotJoinable(
    'native histograms are joined as a sum, and below histogram_quantile, histogram_count, histogram_sum and histogram_avg',
  )
}

/** All that any of them has, in order. */
export function instantsOf(rows: readonly JoinRow[]): number[] {
  return [...new Set(rows.flatMap(({ at }) => [...at.keys()]))].sort((a, b) => a - b)
}
