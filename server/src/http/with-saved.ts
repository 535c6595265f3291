import { endpoints, type Scope } from '../contract/index.ts'
import type { LinkStore } from '../links/link-store.ts'
import { type AnswerQuery, answerKey } from './evidence.ts'
import type { ClusterHandlers } from './handlers.ts'
import type { HandlerRequest } from './mount.ts'
import { notFound } from './problem.ts'

type Asked = HandlerRequest<Pick<Scope, 'saved'> & AnswerQuery>

/** Handlers that, asked with `saved`, hand out the answers of saved evidence; the clusters are not asked. */
export function withSaved(handlers: ClusterHandlers, links: Pick<LinkStore, 'answers'>): ClusterHandlers {
  const wrapped = Object.entries(handlers).map(([name, handle]) => {
    const key = name as keyof typeof endpoints
    const answer = async (request: Asked) => {
      const { saved } = request.query
      if (saved === undefined) return (handle as (request: Asked) => Promise<object>)(request)
      const asked = answerKey(key, request.params, request.query)
      return savedAnswer(await links.answers(saved.toUpperCase()), saved, key, asked)
    }
    return [name, answer]
  })
  return Object.fromEntries(wrapped) as ClusterHandlers
}

function savedAnswer(
  answers: Readonly<Record<string, object>> | null,
  code: string,
  name: keyof typeof endpoints,
  key: string,
): object {
  if (answers === null) throw notFound(`there is no saved evidence ${code}, or it is no longer kept`)
  const answer = answers[key]
  if (answer === undefined)
    throw notFound(`this was not saved with the evidence ${code}; ask the clusters for this window instead`)
  if (!endpoints[name].response.safeParse(answer).success)
    throw notFound(`the evidence ${code} was saved by another version of Goldseam, whose answers this one cannot show`)
  return answer
}
