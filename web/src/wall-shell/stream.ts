import type { Link } from '../wall-link/messages.ts'
import { backoffMs } from './backoff.ts'
import { createEventReader } from './events.ts'

/** Beats come every 15 s: after three, nobody is there. */
const SILENT_AFTER_MS = 45_000
const OPEN_WITHIN_MS = 20_000
/** A wrong address stays wrong until somebody changes the server or the address. */
const REFUSED_RETRY_MS = 30_000

export interface StreamEvents {
  onFrame(json: string): void
  onLink(link: Link): void
  onBuild(build: string): void
  /** A token is wanted. Resolves when it is worth trying again. */
  onUnpaired(why: string, signal: AbortSignal): Promise<void>
}

/**
 * The wall's one stream, opened again for ever. Not an EventSource: that one tells neither a refused token from a dead
 * server nor the build, and cannot show the token.
 */
export async function keepStream(token: () => string | null, events: StreamEvents, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    let why = ''
    try {
      const { response, done, alive } = await open(token(), signal)
      const build = response.headers.get('x-goldseam-build')
      if (build !== null) events.onBuild(build)
      // A proxy before a server that starts answers so, too; what our own server says has this type.
      const isOurs = (response.headers.get('content-type') ?? '').includes('application/problem+json')
      if (isOurs && (response.status === 401 || response.status === 403)) {
        const reason = await detailOf(response)
        done()
        await events.onUnpaired(reason, signal)
        failures = 0
        continue
      }
      if (isOurs && (response.status === 400 || response.status === 404)) {
        why = await detailOf(response)
        done()
        events.onLink({ state: 'refused', why })
        await pause(REFUSED_RETRY_MS, signal)
        continue
      }
      if (response.ok && response.body !== null) {
        const read = createEventReader()
        const decoder = new TextDecoder()
        const reader = response.body.getReader()
        for (;;) {
          const { value, done: ended } = await reader.read()
          if (ended) break
          alive()
          for (const json of read(decoder.decode(value, { stream: true }))) {
            failures = 0
            events.onLink({ state: 'live' })
            events.onFrame(json)
          }
        }
        why = 'the server closed the stream'
      } else why = `the server answers ${response.status}`
      done()
    } catch {
      why = 'the server does not answer'
    }
    if (signal.aborted) return
    failures += 1
    const waitMs = backoffMs(failures)
    events.onLink({ state: 'lost', why, retryInMs: waitMs })
    await pause(waitMs, signal)
  }
}

async function open(token: string | null, signal: AbortSignal) {
  const giveUp = new AbortController()
  const stop = () => giveUp.abort()
  signal.addEventListener('abort', stop, { once: true })
  let timer = setTimeout(stop, OPEN_WITHIN_MS)
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(stop, SILENT_AFTER_MS)
  }
  const done = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    giveUp.abort()
  }
  try {
    const response = await fetch(`/api/v1/wall/stream${scopeOf(location.search)}`, {
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      cache: 'no-store',
      signal: giveUp.signal,
    })
    alive()
    return { response, done, alive }
  } catch (error) {
    done()
    throw error
  }
}

/** The part of the wall's address that the server wants to know. */
function scopeOf(search: string): string {
  const given = new URLSearchParams(search)
  const scope = new URLSearchParams()
  for (const name of ['c', 'ns']) {
    const value = given.get(name)
    if (value) scope.set(name, value)
  }
  const text = scope.toString()
  return text === '' ? '' : `?${text}`
}

async function detailOf(response: Response): Promise<string> {
  try {
    const problem = await response.json()
    return String(problem.errors?.[0]?.detail ?? problem.detail ?? problem.title)
  } catch {
    return `the server answers ${response.status}`
  }
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}
