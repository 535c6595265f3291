// @vitest-environment jsdom
import '@testing-library/jest-dom/vitest'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { BuildWatch, noteAnswer } from '../api/server-build.ts'
import { NewVersion } from './new-version.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test.each<{ why: string; own?: string | null; notes: string; replaced: boolean }>([
  { why: 'the server was replaced before it answered once', own: 'a', notes: 'b1 b31', replaced: true },
  { why: 'one build all the time', notes: 'a0 a90', replaced: false },
  { why: 'another one, but not for 30 s yet', notes: 'a0 b1 b30', replaced: false },
  { why: 'another one for 30 s', notes: 'a0 b1 b31', replaced: true },
  { why: 'rolled out to one of two', notes: 'a0 b1 a20 b40', replaced: false },
  { why: 'rolled back', notes: 'a0 b1 b31 a32', replaced: false },
])('a page is replaced or not: $why', ({ own = null, notes, replaced }) => {
  const watch = new BuildWatch(own)
  for (const [build = '', ...seconds] of notes.split(' ')) watch.note(build, Number(seconds.join('')) * 1_000)
  expect(watch.isReplaced).toBe(replaced)
})

test('the page says that there is a new version, and asks the server before it loads anything', async () => {
  const answered = (build: string, atMs: number) => {
    vi.spyOn(performance, 'now').mockReturnValue(atMs)
    noteAnswer(new Response('', { headers: { 'x-goldseam-build': build } }))
  }
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return new Response('', { status: 502 })
  })
  render(<NewVersion />)
  answered('a', 0)
  answered('b', 1_000)
  fireEvent.keyDown(document, { key: 'R' })
  expect(asked).toEqual([])
  act(() => answered('b', 31_000))
  expect(screen.getByRole('button', { name: 'New version, press R' })).toBeInTheDocument()
  fireEvent.keyDown(document, { key: 'R' })
  fireEvent.keyDown(document, { key: 'r' })
  expect(asked).toEqual(['/api/v1/build', '/api/v1/build'])
})
