// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../../test/render-at-url.tsx'
import { scenes } from '../../../test/scenes.ts'
import { bandsOf } from './fleet-grid.tsx'
import { namesAmong } from './suspect-line.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a cell keeps its place whatever the order and the state of the workloads', () => {
  const { workloads } = scenes.incident.fleet
  const ids = (list: typeof workloads) =>
    bandsOf(list).flatMap(({ namespaces }) => namespaces.flatMap(({ members }) => members.map(({ id }) => id)))
  expect(ids([...workloads].reverse())).toEqual(ids(workloads))
  expect(ids(scenes.quiet.fleet.workloads)).toEqual(ids(workloads))
  expect(ids(workloads)).toHaveLength(workloads.length)
})

test('the grid is one click away, stands in the link, and holds the filter', async () => {
  const { router } = renderAtUrl('/fleet?c=west', 'incident')
  fireEvent.click(await screen.findByText('grid'))
  await waitFor(() => expect(document.querySelector('.grid-cell[data-suspect="true"]')).toHaveTextContent('ledger'))
  expect(router.history.location.search).toBe('?c=west&view=grid')
  expect([...document.querySelectorAll('.fleet-grid h2')].map(({ textContent }) => textContent)).toEqual(['west'])
})

test('two victims of one name are told apart by their clusters, others stay short', () => {
  expect(namesAmong(['east/edge/nginx', 'west/edge/nginx', 'east/shop/web'])).toEqual([
    'nginx (east)',
    'nginx (west)',
    'web',
  ])
  expect(namesAmong(['east/edge/nginx', 'east/public/nginx'])).toEqual(['edge/nginx (east)', 'public/nginx (east)'])
})
