// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../test/render-at-url.tsx'
import { asOfText } from '../scope/time-range.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a link that was copied days ago says so in days', async () => {
  renderAtUrl(`/fleet?asof=${asOfText(Date.now() - 3 * 86_400_000)}`, 'incident')
  expect(await screen.findByRole('region', { name: 'When this link was copied' })).toHaveTextContent(/^Copied 3 d ago/)
})
