import { ApiProblem, readProblem, unreachable } from './problem.ts'

/** Signs this browser in: from then on it sends a cookie that scripts cannot read. */
export async function signIn(token: string): Promise<void> {
  await post('/api/v1/session', { token })
}

/** Lets the screen that shows this code show the wall; empty lists: all of it. */
export async function pairWall(given: { code: string; name: string; c: string[]; ns: string[] }): Promise<void> {
  await post('/api/v1/walls/pair', given)
}

/** The token of a new screen, which shows these clusters and namespaces (empty: all); null where walls need none. */
export async function addWall(given: { name: string; c: string[]; ns: string[] }): Promise<string | null> {
  try {
    const { token } = (await post('/api/v1/walls', given)) as { token?: unknown }
    return typeof token === 'string' ? token : null
  } catch (error) {
    if (error instanceof ApiProblem && error.problem.type === '/problems/not-needed') return null
    throw error
  }
}

async function post(path: string, body: object): Promise<unknown> {
  let response: Response
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json, application/problem+json' }
    response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  } catch (error) {
    throw unreachable(error)
  }
  if (!response.ok) throw await readProblem(response)
  return response.json()
}
