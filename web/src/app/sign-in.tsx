import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { ApiProblem } from '../api/problem.ts'

const TokenDialog = lazy(() => import('./token-dialog.tsx').then((module) => ({ default: module.TokenDialog })))

/** Asks for a token once the server wants one; whatever was asked before is asked again then. */
export function SignIn() {
  const client = useQueryClient()
  const [wanted, setWanted] = useState(false)
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ query }) => {
        const { error } = query.state
        if (error instanceof ApiProblem && error.status === 401) setWanted(true)
      }),
    [client],
  )
  if (!wanted) return null
  const done = () => {
    setWanted(false)
    void client.resetQueries()
  }
  return (
    <Suspense fallback={null}>
      <TokenDialog done={done} />
    </Suspense>
  )
}
