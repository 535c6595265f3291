import type { Failover, FailoverRow } from '@goldseam/server/contract'
import { GapsNote } from '../../answers/gaps-note.tsx'
import { instant } from '../../format/clock.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Glyph, type Mark } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'

const MARKS: Readonly<Record<FailoverRow['verdict'], Mark>> = {
  carries: 'ok',
  above: 'crit',
  unknown: 'unknown',
  less: 'none',
}
const WORDS: Readonly<Record<FailoverRow['verdict'], string>> = {
  carries: 'has carried as much',
  above: 'more than ever',
  unknown: 'not known',
  less: 'less to do',
}

export function FailoverAnswer({ answer }: { readonly answer: Failover }) {
  const { text, form, rows, nowhere, notes, clusters, gaps } = answer
  return (
    <>
      <p className="failover-verdict" data-form={form} role="status">
        {text} <CopyButton text={() => text}>Copy text</CopyButton>
      </p>
      <GapsNote clusters={clusters} gaps={gaps} />
      {rows.length > 0 && <Rows rows={rows} />}
      {nowhere.length > 0 && (
        <section className="panel" aria-labelledby="failover-nowhere">
          <div className="panel-head">
            <h2 id="failover-nowhere">Nowhere to go</h2>
            {nowhere.every(({ elsewhere = [] }) => elsewhere.length === 0) && (
              <span className="muted">no other cluster runs them</span>
            )}
          </div>
          <ul className="failover-nowhere">
            {nowhere.map(({ id, requestsPerSecond, callers, elsewhere = [] }) => (
              <li key={id}>
                <WorkloadLink id={id} /> <Metric kind="rate" value={requestsPerSecond} label="requests" />
                {elsewhere.length > 0 && (
                  <span className="muted"> runs in {elsewhere.join(' and ')} too, which the split gives nothing</span>
                )}
                {callers.length > 0 && <span className="muted"> still called by </span>}
                {callers.map((caller) => (
                  <WorkloadLink key={caller} id={caller} />
                ))}
              </li>
            ))}
          </ul>
        </section>
      )}
      <ul className="muted failover-notes">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </>
  )
}

function Rows({ rows }: { readonly rows: readonly FailoverRow[] }) {
  return (
    <section className="panel" aria-label="What lands where">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">Workload</th>
            <th scope="col">Now</th>
            <th scope="col">Then</th>
            <th scope="col">Highest kept</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({ row }: { readonly row: FailoverRow }) {
  const { id, now, after, direct, passedOn, carried, verdict, text, assumed, insteadOf } = row
  const kept = carried?.kept ?? null
  return (
    <tr data-row={id} data-verdict={verdict}>
      <th scope="row" data-label="Workload">
        <WorkloadLink id={id} />
        {insteadOf.length > 0 && <div className="muted">instead of {insteadOf.join(', ')}</div>}
      </th>
      <td data-label="Now">
        <Metric kind="rate" value={now} label="now" />
      </td>
      <td data-label="Then">
        <Metric kind="rate" value={after} label="then" />
        {direct > 0 && passedOn !== 0 && (
          <div className="muted">
            <Metric kind="rate" value={direct} label="lands" /> lands, the rest is called on
          </div>
        )}
      </td>
      <td data-label="Highest kept" title={kept === null ? undefined : instant(kept.at)}>
        {kept === null ? '--' : <Metric kind="rate" value={kept.requestsPerSecond} label="highest rate kept" />}
        {carried !== null && (
          <div className="muted">
            {carried.goals ? 'goals: ' : ''}
            {carried.heldTo}
          </div>
        )}
      </td>
      <td data-label="Verdict">
        <span className="failover-word">
          <Glyph mark={MARKS[verdict]} size={11} label={WORDS[verdict]} /> {WORDS[verdict]}
        </span>
        <div className="muted">{text}</div>
        {assumed.map((assumption) => (
          <div key={assumption} className="muted">
            {assumption}
          </div>
        ))}
      </td>
    </tr>
  )
}
