// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../test/render-at-url.tsx'
import { stretch } from '../format/stretch.ts'
import { isoMinute } from '../scope/time-range.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a range that began days ago says on which', async () => {
  const fromMs = Date.now() - 3 * 86_400_000
  renderAtUrl(`/fleet?from=${isoMinute(fromMs)}&tz=utc`, 'incident')
  expect(await screen.findByText(/^Since /)).toHaveTextContent(
    `Since ${stretch(fromMs, null, 'utc').replace(' UTC', '')}`,
  )
})
