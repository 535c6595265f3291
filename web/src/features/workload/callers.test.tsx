// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { edge, golden } from '../../../test/builders.ts'
import { X } from '../../../test/incident.ts'
import { renderAtUrl } from '../../../test/render-at-url.tsx'
import { scenes } from '../../../test/scenes.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a caller that calls by two names is one caller, and each of its calls says to which', async () => {
  const to = (destination: string) => edge('east/jobs/nightly', X, golden(2, 0.03), golden(2, 0.03), { destination })
  const callers = [
    to('storefront.shop.example'),
    to('10.1.2.3:8080'),
    edge('east/jobs/mail', X, golden(1, 0.03), golden(1, 0.03)),
  ]
  vi.spyOn(scenes.incident.detail, 'callers', 'get').mockReturnValue(callers)
  const complain = vi.spyOn(console, 'error')
  renderAtUrl(`/d/${X}?tab=callers`, 'incident')
  const header = (await screen.findByText('called by')).parentElement
  expect(header).toHaveTextContent(/^called by\s*jobs\/nightly\s*jobs\/mail$/)
  const table = within(await screen.findByRole('region', { name: 'Called by' }))
  expect(table.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
    'jobs/nightly (east) to storefront.shop.example',
    'jobs/nightly (east) to 10.1.2.3:8080',
    'jobs/mail (east)',
  ])
  expect(complain.mock.calls.filter(([text]) => /same key/.test(String(text)))).toEqual([])
})
