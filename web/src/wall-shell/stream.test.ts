// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import type { Link } from '../wall-link/messages.ts'
import { keepStream } from './stream.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Opens the stream with these answers, one after the other; the last one goes on. */
async function opened(answers: readonly (() => Response)[]) {
  vi.useFakeTimers()
  const left = [...answers]
  const asked = vi.fn()
  vi.stubGlobal('fetch', async () => {
    asked()
    return (left.length > 1 ? left.shift() : left[0])?.() ?? new Response(null, { status: 500 })
  })
  const links: Link[] = []
  const unpaired: string[] = []
  const frames: string[] = []
  const ending = new AbortController()
  const events = {
    onFrame: (json: string) => void frames.push(json),
    onLink: (link: Link) => void links.push(link),
    onBuild() {},
    onUnpaired: async (why: string) => void unpaired.push(why),
  }
  const over = keepStream(() => 'token', events, ending.signal)
  await vi.advanceTimersByTimeAsync(10_000)
  ending.abort()
  await vi.advanceTimersByTimeAsync(60_000)
  await over
  return { links, unpaired, frames, asked }
}

const frame = () =>
  new Response('event: frame\ndata: {"a":1}\n\n', { headers: { 'content-type': 'text/event-stream' } })
const page = (status: number) => () => new Response('<html>', { status, headers: { 'content-type': 'text/html' } })
const ours = (status: number, detail: string) => () =>
  new Response(JSON.stringify({ title: 'x', status, detail }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  })

test.each([401, 403])('a %s of a proxy is no word on the token: it is tried again', async (status) => {
  const { links, unpaired, frames } = await opened([page(status), frame])
  expect(unpaired).toEqual([])
  expect(links[0]).toMatchObject({ state: 'lost', why: `the server answers ${status}` })
  expect(frames[0]).toBe('{"a":1}')
})

test('a token that the server refuses is told with its reason', async () => {
  const { unpaired, frames } = await opened([ours(401, 'the token of this screen was revoked'), frame])
  expect(unpaired).toEqual(['the token of this screen was revoked'])
  expect(frames[0]).toBe('{"a":1}')
})
