import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { ProblemNote } from '../answers/problem-note.tsx'
import { keepScope } from '../scope/scope-search.ts'
import type { SearchText } from '../scope/search-codec.ts'

/** The last resort: a screen threw. The frame around it stays. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  return <ProblemNote error={error instanceof Error ? error : new Error(String(error))} retry={reset} />
}

export function UnknownPage() {
  return (
    <section className="answer-problem">
      <h2>There is no such page</h2>
      <p>The address names no screen of Goldseam. It may come from a newer version.</p>
      <Link to="/fleet" search={(previous: SearchText) => keepScope(previous)} className="button">
        Show the fleet
      </Link>
    </section>
  )
}
