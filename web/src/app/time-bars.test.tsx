// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
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

test('an address that this page stamped itself was copied by nobody, however late one comes back to it', async () => {
  window.history.replaceState({}, '', '/fleet')
  const { router } = renderAtUrl('/fleet', 'incident')
  await waitFor(() => expect(window.location.search).toMatch(/^\?asof=/))
  const { state } = window.history
  const asof = asOfText(Date.now() - 3 * 86_400_000)
  // As the browser brings it back, had it been left three days ago.
  const left = JSON.parse(JSON.stringify(state).replace(/\d{8}T\d{4}Z/, asof))
  await act(async () => router.history.push(`/fleet?asof=${asof}`, left))
  expect(router.state.location.search).toMatchObject({ asof })
  await waitFor(() => expect(document.querySelector('.time-bar')).toBeNull())
})
