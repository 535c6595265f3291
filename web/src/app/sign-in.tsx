import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../answers/lazy-part.ts'
import { MissingOverlay } from '../answers/missing-part.tsx'
import { ApiProblem } from '../api/problem.ts'

const TokenDialog = lazyPart(
  () => import('./token-dialog.tsx').then((module) => module.TokenDialog),
  () => <MissingOverlay />,
)

/**
 * Asks for a token once the server wants one; whatever was asked before is asked again then. An answer after that says that
 * it is wanted no more: one server of several refused, or somebody signed in in another tab.
 */
export function SignIn() {
  const client = useQueryClient()
  const [wanted, setWanted] = useState(false)
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return
        const { action } = event
        if (action.type === 'error' && isRefused(action.error)) setWanted(true)
        if (!wanted || action.type !== 'success' || action.manual) return
        setWanted(false)
        // What was refused as well is not asked again by itself.
        void client.invalidateQueries({ predicate: ({ state }) => isRefused(state.error) })
      }),
    [client, wanted],
  )
  if (!wanted) return null
  const done = () => {
    setWanted(false)
    // What is on the screen stays until it is answered anew: the server may be away at this very moment.
    void client.invalidateQueries()
  }
  return (
    <Suspense fallback={null}>
      <TokenDialog done={done} />
    </Suspense>
  )
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401
}
