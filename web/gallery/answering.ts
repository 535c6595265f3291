import type { Problem } from '@goldseam/server/contract'
import { answer } from '../test/answer.ts'
import { prometheusAnswer } from '../test/prometheus.ts'
import type { Scene } from '../test/scenes.ts'

/** What comes back of one request: an answer, nothing ever, or a connection that is refused. */
export type Reply = { readonly status: number; readonly body: unknown } | 'never' | 'refused'
export type Answering = (path: string, params: URLSearchParams) => Reply

/** All that the fixture server would say in a scene. */
export const of =
  (scene: Scene): Answering =>
  (path, params) =>
    path.startsWith('/prometheus/') ? prometheusAnswer(scene, path, params) : answer(scene, path, params)

export const never: Answering = () => 'never'
export const refused: Answering = () => 'refused'

/** The paths that match answer otherwise. */
export const but =
  (rest: Answering, which: RegExp, other: Answering): Answering =>
  (path, params) =>
    (which.test(path) ? other : rest)(path, params)

export const problem =
  (details: Problem): Answering =>
  () => ({ status: details.status, body: details })

/** Puts the answers behind `fetch`. What is handed back tells of the next ones. */
export function answerFetch(first: Answering): (next: Answering) => void {
  let current = first
  globalThis.fetch = async (address, init) => {
    const { pathname, searchParams } = new URL(String(address), 'http://gallery')
    const form = init?.body instanceof URLSearchParams ? [...init.body] : []
    const reply = current(pathname, new URLSearchParams([...form, ...searchParams]))
    if (reply === 'refused') throw new TypeError('fetch failed')
    if (reply === 'never') return forever(init?.signal)
    const type = reply.status < 400 ? 'application/json' : 'application/problem+json'
    return new Response(JSON.stringify(reply.body), { status: reply.status, headers: { 'content-type': type } })
  }
  return (next) => {
    current = next
  }
}

function forever(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}
