import { isPassing } from '../api/polling.ts'
import { ApiProblem } from '../api/problem.ts'
import { lasting } from '../format/age.ts'
import { useNowMs } from '../ui/now.ts'

interface UnreachableNoteProps {
  readonly error: Error
  readonly dataUpdatedAt: number
  readonly retry: () => void
}

/** A refresh failed, and the last good picture stays: said in one bar above it. */
export function UnreachableNote({ error, dataUpdatedAt, retry }: UnreachableNoteProps) {
  const nowMs = useNowMs()
  const silent = error instanceof ApiProblem && error.status === 0
  return (
    <div className="note" role="status">
      <strong>{silent ? 'Goldseam server unreachable' : `Refresh failed: ${error.message}`}</strong>
      <span>
        data {lasting(Math.max(0, nowMs - dataUpdatedAt) / 1000)} old{isPassing(error) && ', trying again by itself'}
      </span>
      <button type="button" className="button" onClick={retry}>
        Retry now
      </button>
    </div>
  )
}
