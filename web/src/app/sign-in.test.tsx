// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { QueryObserver } from '@tanstack/react-query'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderAtUrl } from '../../test/render-at-url.tsx'
import { readProblem } from '../api/problem.ts'

beforeEach(() => {
  // jsdom has the element, and not what it can do.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const rows = () => [...document.querySelectorAll<HTMLElement>('tr[data-row]')].map((row) => row.textContent)
const dialog = () => screen.queryByRole('dialog', { name: 'Sign in' })
const refused = async () => {
  const problem = { type: '/problems/sign-in', title: 'Sign-in needed', status: 401 }
  return Response.json(problem, { status: 401, headers: { 'content-type': 'application/problem+json' } })
}

async function renderRefused() {
  const { client } = renderAtUrl('/fleet', 'incident')
  await waitFor(() => expect(rows().length).toBeGreaterThan(10))
  const served = globalThis.fetch
  vi.stubGlobal('fetch', refused)
  await act(() => client.refetchQueries())
  await waitFor(() => expect(dialog()).toBeInTheDocument())
  return { client, served }
}

test('an answer after a refusal takes the question for a token away', async () => {
  const { client, served } = await renderRefused()
  await act(() => client.refetchQueries())
  expect(dialog()).toBeInTheDocument()
  vi.stubGlobal('fetch', served)
  await act(() => client.refetchQueries())
  await waitFor(() => expect(dialog()).not.toBeInTheDocument())
  expect(screen.queryByText(/Sign-in needed/)).toBeNull()
})

test('what was refused and is not asked again by itself is asked once something else is answered', async () => {
  const { client, served } = await renderRefused()
  const askedOnce = vi.fn(async () => {
    const response = await fetch('/api/v1/tools')
    if (!response.ok) throw await readProblem(response)
    return 'answered'
  })
  const observer = new QueryObserver(client, { queryKey: ['once'], queryFn: askedOnce, retry: false })
  const leave = observer.subscribe(() => undefined)
  await waitFor(() => expect(observer.getCurrentResult().isError).toBe(true))
  vi.stubGlobal('fetch', served)
  await act(() => client.refetchQueries({ queryKey: ['fleet'] }))
  await waitFor(() => expect(observer.getCurrentResult().data).toBe('answered'))
  expect(askedOnce).toHaveBeenCalledTimes(2)
  expect(dialog()).not.toBeInTheDocument()
  leave()
})

test('who signs in while the server restarts keeps the rows', async () => {
  await renderRefused()
  const before = rows()
  vi.stubGlobal('fetch', async (address: string) =>
    address === '/api/v1/session' ? Response.json({ signIn: true }) : new Response('<html>', { status: 502 }),
  )
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('Token'), 'a token')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await waitFor(() => expect(dialog()).not.toBeInTheDocument())
  expect(await screen.findByText(/HTTP 502/)).toBeInTheDocument()
  expect(rows()).toEqual(before)
})
