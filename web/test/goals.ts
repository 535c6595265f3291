import type { GoalRow } from '@goldseam/server/contract'

const HOUR = 3_600

const budget = (
  spentRatio: number,
  rates: readonly [number, number, number],
  knownDays: number,
): GoalRow['budget'] => ({
  periodSeconds: 30 * 24 * HOUR,
  knownSeconds: knownDays * 24 * HOUR,
  spentRatio,
  burns: [
    {
      longSeconds: HOUR,
      shortSeconds: HOUR / 12,
      most: 14.4,
      longRate: rates[0],
      shortRate: rates[0],
      firing: rates[0] > 14.4,
    },
    {
      longSeconds: 6 * HOUR,
      shortSeconds: HOUR / 2,
      most: 6,
      longRate: rates[1],
      shortRate: rates[0],
      firing: rates[1] > 6,
    },
    {
      longSeconds: 72 * HOUR,
      shortSeconds: 6 * HOUR,
      most: 1,
      longRate: rates[2],
      shortRate: rates[1],
      firing: rates[2] > 1,
    },
  ],
  grade: rates[0] > 14.4 ? 'crit' : 'none',
})

/** A workload that succeeds as it should and answers too slowly. */
export const goals: GoalRow[] = [
  {
    measure: 'successRatio',
    goal: 0.999,
    usual: 0.9999,
    now: 0.9998,
    truth: 'value',
    verdict: 'met',
    text: 'success 99.98 % (goal 99.9 %)',
    budget: budget(0.12, [0.2, 0.1, 0.1], 30),
  },
  {
    measure: 'p99',
    goal: 0.5,
    usual: 0.31,
    now: 2.44,
    truth: 'value',
    verdict: 'missed',
    text: 'p99 2.44 s (goal 500 ms); its error budget burns 41 times too fast',
    budget: budget(0.64, [41, 9.2, 0.9], 12),
  },
  {
    measure: 'requestsPerSecond',
    goal: 20,
    usual: 20,
    now: 41,
    truth: 'value',
    verdict: 'met',
    text: '41/s (goal at least 20/s)',
    budget: null,
  },
]
