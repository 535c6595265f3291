// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import type { Edge } from '@goldseam/server/contract'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { edge, golden } from '../../test/builders.ts'
import { SeamLedger } from './seam-ledger.tsx'

afterEach(cleanup)

const drawn = (change: Partial<Edge>) =>
  render(
    <SeamLedger
      edge={edge('east/shop/web', 'west/stock/ledger', golden(41, 0.02), golden(41, 0.02), {
        ageSeconds: 40,
        ...change,
      })}
    />,
  )

/** How the numbers of a row are to be read, from left to right. */
function truthsOf(name: RegExp): (string | null)[] {
  const row = screen.getByRole('row', { name })
  return [...row.querySelectorAll('.metric')].map((metric) => metric.getAttribute('data-truth'))
}

const OLD = Array.from({ length: 5 }, () => 'stale')

test.each([
  { stale: 'callee', caller: null, callee: 40, old: /^ledger says/, live: /^web sees/ },
  { stale: 'caller', caller: 40, callee: null, old: /^web sees/, live: /^ledger says/ },
])('of a call whose $stale is silent, the numbers of that end are old, and of no other', (given) => {
  drawn({ callerAgeSeconds: given.caller, calleeAgeSeconds: given.callee })
  expect(truthsOf(given.old)).toEqual(OLD)
  expect(truthsOf(given.live)).not.toContain('stale')
  const said = given.stale === 'callee' ? 'What ledger says' : 'What web sees'
  expect(screen.getByText(`${said} is last good data, 40 s old.`)).toBeInTheDocument()
})

test('of what was saved with one age for both ends, neither is taken for live', () => {
  drawn({})
  expect([...truthsOf(/^web sees/), ...truthsOf(/^ledger says/)]).toEqual([...OLD, ...OLD])
  expect(screen.getByText('One end is last good data, 40 s old.')).toBeInTheDocument()
})
