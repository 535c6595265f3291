import { describe, expect, test } from 'vitest'
import { course, D, type Given, verdictIn, X } from './incident-world.ts'

const [E, LEDGER] = ['east/labs/e', 'east/pay/ledger']

/** X gives up on E before E counts anything; E calls D in west, which does not answer to anybody who asks. */
function waitingFor(d: { readonly usual: number; readonly now: number }): Given {
  return {
    nodes: { [X]: course(41, 0.1, 1.1), [E]: course(41, 0.06, 0.06), [D]: course(41, d.usual, d.now) },
    calls: [
      { from: X, to: E, course: course(41, 0.07, 1.07) },
      { from: E, to: D, course: course(41, d.usual, d.now) },
    ],
    silent: ['west'],
  }
}

describe('with a cluster silent', () => {
  test('a way whose far end waits for it is not named', () => {
    const verdict = verdictIn(waitingFor({ usual: 0.02, now: 5 }))
    expect(verdict).toMatchObject({ form: 'unknown', subject: X, suspect: null, word: null })
    expect(verdict.text).toContain('west has not answered for 40 s')
  })

  test('... and is, where that call goes as usual', () => {
    const verdict = verdictIn(waitingFor({ usual: 0.02, now: 0.02 }))
    expect(verdict).toMatchObject({ form: 'suspect', subject: X, suspect: `${X}~${E}` })
    expect(verdict.text).toContain('west has not answered for 40 s')
  })

  const beside = (ledger: { readonly rate: number; readonly now: number }): Given => ({
    nodes: {
      [X]: course(41, 0.1, 5.1),
      [D]: course(41, 0.02, 5.02),
      [LEDGER]: course(ledger.rate, 0.05, ledger.now),
    },
    calls: [{ from: X, to: D, course: course(41, 0.03, 5.03) }],
    silent: ['west'],
  })

  test('what weighs most lies there: a smaller trouble elsewhere does not take its place', () => {
    const verdict = verdictIn(beside({ rate: 12, now: 0.3 }))
    expect(verdict).toMatchObject({ form: 'unknown', subject: X, suspect: null })
    expect(verdict.text).toContain('5.00 s of the 5.00 s it gained lie beyond the seam to west')
  })

  test('what weighs most does not lie there: it is named', () => {
    expect(verdictIn(beside({ rate: 400, now: 3 }))).toMatchObject({ subject: LEDGER, suspect: LEDGER })
  })

  test('failures that lie there: the direction is named, nobody is', () => {
    const verdict = verdictIn({
      nodes: { [X]: course(41, 0.1, 0.1, 20), [D]: course(41, 0.02, 0.02, 20) },
      calls: [{ from: X, to: D, course: course(41, 0.03, 0.03, 20) }],
      silent: ['west'],
    })
    expect(verdict).toMatchObject({ form: 'unknown', subject: X, suspect: null })
    expect(verdict.text).toMatch(/fails: 20\/s of its 20\/s more failures lie beyond the seam to west/)
  })
})
