// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import type { Suspects } from '@goldseam/server/contract'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Cleared } from './cleared.tsx'

afterEach(cleanup)

test('who is cleared has its cluster where a namesake is hurt, and no other has', () => {
  const answer = {
    suspects: [{ id: 'west/shop/stock', victims: ['west/ingress-nginx/controller'] }],
    contributions: [],
    cleared: ['east/ingress-nginx/controller', 'west/shop/mail'],
    cannotJudge: [],
  } as unknown as Suspects
  render(<Cleared answer={answer} ruledOut={[]} takeBack={() => undefined} />)
  expect(screen.getByText(/controller/)).toHaveTextContent('ingress-nginx/controller (east), shop/mail')
})
