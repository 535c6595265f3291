import './answers.css'
import { ApiProblem } from '../api/problem.ts'

interface ProblemNoteProps {
  readonly error: Error
  readonly retry: () => void
}

/** For an answer that never came: what went wrong, in the server's words, and one thing to do. */
export function ProblemNote({ error, retry }: ProblemNoteProps) {
  const problem = error instanceof ApiProblem ? error.problem : null
  return (
    <section className="answer-problem" role="alert">
      <h2>{problem?.title ?? 'This page could not be drawn'}</h2>
      <p>{problem?.status === 0 ? 'It may be starting or restarting. Trying again by itself.' : error.message}</p>
      {problem?.errors && (
        <ul>
          {problem.errors.map(({ pointer, detail }) => (
            <li key={pointer}>
              <code>{pointer}</code> {detail}
            </li>
          ))}
        </ul>
      )}
      {problem?.requestId && <p className="muted">Request {problem.requestId}</p>}
      <button type="button" className="button" onClick={retry}>
        Try again
      </button>
    </section>
  )
}
