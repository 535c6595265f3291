// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { goals } from '../../../test/goals.ts'
import { GoalsTable } from './goals-table.tsx'

afterEach(cleanup)

const row = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name}`) })

test('a breach is a word and a shape, and its budget says how fast it burns', () => {
  render(<GoalsTable goals={goals} />)
  expect(within(row('p99')).getByText('MISSED')).toBeInTheDocument()
  expect(row('p99')).toHaveTextContent('64 % of 30 d spent (12 d known)')
  expect(row('p99')).toHaveTextContent('1 h / 5 min: x41 / x41, limit x14.4')
  expect(within(row('p99')).getAllByRole('img', { name: 'burning too fast' })).toHaveLength(2)
  expect(within(row('Success')).getByText('met')).toBeInTheDocument()
  expect(row('Requests')).toHaveTextContent('none of this kind')
})

test('with no goal set it says so, and holds on to what is usual', () => {
  const unset = goals.map((goal) => ({ ...goal, goal: null, budget: null, verdict: 'asUsual' as const }))
  render(<GoalsTable goals={unset} />)
  expect(screen.getByText(/none set in the config/)).toBeInTheDocument()
  expect(screen.queryByText(/Error budget/)).toBeNull()
})
