import { pause } from './stream.ts'

const KEY = 'goldseam.wall.token'
const ASK_AGAIN_MS = 3_000

/** The token of this screen: given once behind the `#` of the address, which no server sees, and kept. */
export function readToken(): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given) {
    keepToken(given)
    history.replaceState(null, '', `${location.pathname}${location.search}`)
    return given
  }
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

export function keepToken(token: string): void {
  try {
    localStorage.setItem(KEY, token)
  } catch {
    // Without storage it holds until the browser is closed.
  }
}

/**
 * Asks for a code to show, and waits until somebody who may look enters it at /wall/pair. Gives the token; null when
 * the code ran out or the server went away: then it starts over.
 */
export async function pair(show: (code: string) => void, signal: AbortSignal): Promise<string | null> {
  const started = await post('/api/v1/wall/pairings', {})
  if (started === null || typeof started.code !== 'string') {
    await pause(ASK_AGAIN_MS, signal)
    return null
  }
  show(started.code)
  while (!signal.aborted) {
    await pause(ASK_AGAIN_MS, signal)
    const answer = await post('/api/v1/wall/pairings/claim', { secret: started.secret })
    if (answer === null) return null
    if (typeof answer.token === 'string') return answer.token
  }
  return null
}

async function post(path: string, body: object): Promise<Record<string, unknown> | null> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.timeout(10_000),
    })
    return response.ok ? await response.json() : null
  } catch {
    return null
  }
}
