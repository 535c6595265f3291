// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../../test/render-at-url.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const OLD = 'west/ship/rates'
const truthsIn = (element: HTMLElement | undefined) =>
  [...(element?.querySelectorAll('.metric') ?? [])].map((metric) => metric.getAttribute('data-truth'))

test('the numbers of a silent cluster are marked as old in every row, and those of others are not', async () => {
  renderAtUrl('/map?view=table&show=all', 'partial')
  const table = within(await screen.findByRole('table', { name: /^Calls between workloads/ }))
  const rowOf = (name: RegExp) => table.getAllByRole('row').find((row) => name.test(row.textContent ?? ''))
  const old = rowOf(/ship\/rates/)
  expect(truthsIn(old)).toEqual(['stale', 'stale', 'stale'])
  expect(old).toHaveTextContent('40 s ago')
  // The call as its caller sees it, whose cluster answers.
  expect(truthsIn(rowOf(/stock\/pricing/))).toEqual(['value', 'value', 'value'])
  expect(truthsIn(rowOf(/pay\/tax/))).not.toContain('stale')
})

test('beside the picture no number of a silent cluster is taken for live, that of requests in flight neither', async () => {
  renderAtUrl(`/map?view=table&show=all&sel=${OLD}`, 'partial')
  const drawer = await screen.findByRole('complementary', { name: 'ship/rates (west)' })
  expect(new Set(truthsIn(drawer))).toEqual(new Set(['stale']))
  expect(drawer).toHaveTextContent('40 s ago')
})
