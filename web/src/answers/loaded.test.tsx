// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Loaded } from './loaded.tsx'

afterEach(cleanup)

const query = { data: 'numbers', error: null, dataUpdatedAt: 0, refetch: async () => ({}) as never }

test.each([true, false])(
  'what was asked for before is marked as such until the answer has come: %s',
  (isPlaceholderData) => {
    render(
      <Loaded query={{ ...query, isPlaceholderData }} waiting="waiting">
        {(text) => <p>{text}</p>}
      </Loaded>,
    )
    expect(screen.getByText('numbers')).toBeInTheDocument()
    expect(screen.queryByText(/Still what was asked for before/) !== null).toBe(isPlaceholderData)
  },
)
