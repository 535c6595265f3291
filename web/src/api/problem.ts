import { Problem } from '@goldseam/server/contract'

/** Why there is no answer. `status` 0: the server was not reached at all. */
export class ApiProblem extends Error {
  readonly problem: Problem

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.detail ?? problem.title, options)
    this.name = 'ApiProblem'
    this.problem = problem
  }

  get status(): number {
    return this.problem.status
  }
}

export function unreachable(cause: unknown): ApiProblem {
  return new ApiProblem({ type: 'about:blank', title: 'Goldseam server unreachable', status: 0 }, { cause })
}

export function notOurs(status: number, detail: string, cause?: unknown): ApiProblem {
  return new ApiProblem({ type: 'about:blank', title: 'Unexpected answer', status, detail }, { cause })
}

export async function readProblem(response: Response): Promise<ApiProblem> {
  const type = response.headers.get('content-type') ?? ''
  if (!type.includes('application/problem+json')) {
    // Something between us and the server answered: a proxy's error page says nothing a person can use here.
    return notOurs(response.status, `HTTP ${response.status} with ${type || 'no content type'}`)
  }
  const parsed = Problem.safeParse(await response.json().catch(() => null))
  return parsed.success ? new ApiProblem(parsed.data) : notOurs(response.status, `HTTP ${response.status}`)
}
