import type { Compare, CompareSide } from '@goldseam/server/contract'
import { age } from '../../format/age.ts'
import { instant } from '../../format/clock.ts'
import { stretch } from '../../format/stretch.ts'
import { useScope } from '../../scope/use-scope.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { useNowMs } from '../../ui/now.ts'
import type { Absent } from './use-comparison.ts'

interface SidesProps {
  readonly answer: Pick<Compare, 'a' | 'b'> & Partial<Pick<Compare, 'notes' | 'rows'>>
  readonly absent: Absent | null
}

/** What each side is of, and what has to be known of it. */
export function Sides({ answer: { a, b, notes = [], rows }, absent }: SidesProps) {
  return (
    <div className="compare-sides">
      {([a, b] as const).map((side, index) =>
        absent !== null && absent.side === 'ab'[index] ? (
          <AbsentLine key={absent.side} absent={absent} />
        ) : (
          <SideLine key={index === 0 ? 'a' : 'b'} name={index === 0 ? 'A' : 'B'} side={side} />
        ),
      )}
      {rows?.length === 0 && absent === null && (
        <p className="note">
          Nothing is on both sides: workloads are paired by namespace and name. Name one workload on each side to
          compare two that are called differently.
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
    </div>
  )
}

function Key({ name }: { readonly name: 'A' | 'B' }) {
  return (
    <span className="compare-key" data-side={name.toLowerCase()}>
      {name}
    </span>
  )
}

/** The other side does not wait for it. */
function AbsentLine({ absent: { side, sinceMs, error, retry } }: { readonly absent: Absent }) {
  const waited = Math.max(0, (useNowMs() - sinceMs) / 1000)
  const name = side === 'a' ? 'A' : 'B'
  const other = side === 'a' ? 'B' : 'A'
  if (error === null)
    return (
      <p role="status" aria-busy="true">
        <Key name={name} /> <span className="muted">still being read, {other} is here</span>
        {waited >= 2 && <span className="muted"> since {age(waited)}</span>}
      </p>
    )
  return (
    <p role="alert">
      <Key name={name} /> <strong>no answer:</strong> {error.message}{' '}
      <button type="button" className="button" onClick={retry}>
        Try again
      </button>
    </p>
  )
}

function SideLine({ name, side }: { readonly name: 'A' | 'B'; readonly side: CompareSide }) {
  const { tz } = useScope()
  const { clusters, namespace, name: workload, version, from, to, missing } = side
  const place = [clusters.join(', '), namespace, workload].filter(Boolean).join(' / ')
  return (
    <p>
      <Key name={name} /> <strong>{place}</strong>
      {version && `, version ${version}`}{' '}
      <span className="muted" title={`${instant(from)} to ${instant(to)}`}>
        {stretch(Date.parse(from), Date.parse(to), tz)}
      </span>
      {missing.length > 0 && <span className="hatched"> without {missing.join(', ')}</span>}
    </p>
  )
}

export function Unmatched({ answer: { onlyA, onlyB } }: { readonly answer: Compare }) {
  if (onlyA.length + onlyB.length === 0) return null
  return (
    <details className="compare-unmatched">
      <summary>
        only in A: {onlyA.length}, only in B: {onlyB.length}
      </summary>
      {[onlyA, onlyB].map((ids, index) => (
        <p key={index === 0 ? 'a' : 'b'}>
          {'AB'[index]}:{' '}
          {ids.map((id) => (
            <span key={id} className="compare-only">
              <WorkloadLink id={id} />
            </span>
          ))}
        </p>
      ))}
    </details>
  )
}
