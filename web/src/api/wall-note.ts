import { readProblem, unreachable } from './problem.ts'

export interface WallNote {
  readonly text: string
  readonly by: string
  /** RFC 3339. */
  readonly until: string
}

/** What stands on all walls; null: nothing. */
export const readWallNote = (): Promise<WallNote | null> => ask('GET')

/** Puts it on all walls, in place of what stands there. `by` empty: who is signed in. */
export function writeWallNote(given: { text: string; by: string; minutes: number }): Promise<WallNote | null> {
  const { by, ...note } = given
  return ask('PUT', by === '' ? note : given)
}

export const removeWallNote = (): Promise<WallNote | null> => ask('DELETE')

async function ask(method: string, body?: object): Promise<WallNote | null> {
  let response: Response
  try {
    const headers = { accept: 'application/json, application/problem+json' }
    const sent =
      body === undefined
        ? { headers }
        : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
    response = await fetch('/api/v1/wall/note', { method, ...sent })
  } catch (error) {
    throw unreachable(error)
  }
  if (!response.ok) throw await readProblem(response)
  return response.status === 204 ? null : ((await response.json()) as { note: WallNote | null }).note
}
