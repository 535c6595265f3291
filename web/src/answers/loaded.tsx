import './answers.css'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'
import { UnreachableNote } from './unreachable-note.tsx'

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'dataUpdatedAt' | 'isPlaceholderData'>
  readonly waiting: ReactNode
  /** A problem the screen words better itself; null leaves it to the common note. */
  readonly problem?: (error: Error) => ReactNode | null
  readonly children: (data: Data) => ReactNode
}

/** How any answer is shown. Looks at data before error: a failed refresh must not take good numbers away. */
export function Loaded<Data>({ query, waiting, problem, children }: LoadedProps<Data>) {
  const { data, error, refetch, dataUpdatedAt, isPlaceholderData } = query
  const retry = () => void refetch()
  if (data === undefined) {
    return error ? (problem?.(error) ?? <ProblemNote error={error} retry={retry} />) : waiting
  }
  return (
    <>
      {isPlaceholderData && (
        <p role="status" className="still-before">
          Still what was asked for before; the answer is on its way.
        </p>
      )}
      {error && <UnreachableNote error={error} dataUpdatedAt={dataUpdatedAt} retry={retry} />}
      {children(data)}
    </>
  )
}
