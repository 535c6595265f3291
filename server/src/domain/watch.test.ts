import { expect, test } from 'vitest'
import type { Verdict } from './verdict.ts'
import { looked, type Watch } from './watch.ts'

const quiet = { form: 'quiet', subject: null } as const
const slow = { form: 'suspect', subject: 'west/labs/d' } as const
const blind = { form: 'unknown', subject: null } as const
const unexplained = { form: 'unknown', subject: 'west/labs/d' } as const

const after = (...looks: readonly (readonly [number, Pick<Verdict, 'form' | 'subject'>])[]) =>
  looks.reduce<Watch | null>((watch, [at, verdict]) => looked(watch, verdict, at), null)

test.each([
  {
    why: 'none seen',
    looks: [
      [10, quiet],
      [20, quiet],
    ],
    trouble: null,
  },
  {
    why: 'seen until it ended',
    looks: [
      [10, quiet],
      [20, slow],
      [30, slow],
      [40, quiet],
      [90, quiet],
    ],
    trouble: 30,
  },
  {
    why: 'a silent cluster is no trouble',
    looks: [
      [10, blind],
      [20, quiet],
    ],
    trouble: null,
  },
  {
    why: 'somebody suffers, whoever it is from',
    looks: [
      [10, unexplained],
      [20, quiet],
    ],
    trouble: 10,
  },
  {
    why: 'a late answer explained it away',
    looks: [
      [10, slow],
      [20, unexplained],
      [20, quiet],
    ],
    trouble: 10,
  },
  {
    why: 'a late answer brought it',
    looks: [
      [10, quiet],
      [20, quiet],
      [20, slow],
      [30, quiet],
    ],
    trouble: 20,
  },
] as const)('$why', ({ looks, trouble }) => {
  expect(after(...looks)).toMatchObject({ sinceSeconds: 10, troubleSeconds: trouble })
})
