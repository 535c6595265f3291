import type { UpstreamRequest } from '@goldseam/server/contract'
import { useState } from 'react'
import { plural } from '../../format/age.ts'
import { bytes } from '../../format/bytes.ts'
import { clock, instant } from '../../format/clock.ts'
import { latency } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'
import { useScope } from '../../scope/use-scope.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { type TableData, TableDownload } from '../../ui/table-download.tsx'

const KIND_WORDS: Readonly<Record<UpstreamRequest['kind'], string>> = {
  instant: 'an instant',
  range: 'a range',
  labels: 'label values',
  others: "somebody's PromQL",
  status: 'a status page',
}
const OUTCOME_WORDS: Readonly<Record<UpstreamRequest['outcome'], string>> = {
  ok: 'answered',
  timeout: 'no answer in time',
  unreachable: 'not reached',
  tls: 'TLS failed',
  unauthorized: 'not let in',
  rejected: 'refused',
  malformed: 'not understood',
  tooLarge: 'too large',
  empty: 'empty',
  aborted: 'given up: nobody waited',
}

interface RequestsPanelProps {
  readonly cluster: string
  readonly requests: readonly UpstreamRequest[]
}

/** More stand behind a button: this is looked at from the top. */
const FIRST = 25

const isTrouble = ({ outcome }: UpstreamRequest) => outcome !== 'ok' && outcome !== 'aborted'

/** The last requests to the cluster, newest first: by name, never by their text or what was sent along. */
export function RequestsPanel({ cluster, requests }: RequestsPanelProps) {
  const [only, setOnly] = useState<'all' | 'trouble' | 'slow'>('all')
  const [whole, setWhole] = useState(false)
  const { tz } = useScope()
  const several = new Set(requests.map(({ endpoint }) => endpoint)).size > 1
  const troubled = requests.filter(isTrouble)
  const slowest = [...requests].sort((a, b) => b.seconds - a.seconds).slice(0, 20)
  const chosen = only === 'all' ? requests : only === 'trouble' ? troubled : slowest
  const shown = whole ? chosen : chosen.slice(0, FIRST)
  return (
    <section className="panel" aria-labelledby="cluster-requests">
      <div className="panel-head">
        <h2 id="cluster-requests">Last requests</h2>
        <fieldset className="facets no-print" aria-label="Which requests">
          <button type="button" className="facet" aria-pressed={only === 'all'} onClick={() => setOnly('all')}>
            newest {requests.length}
          </button>
          <button type="button" className="facet" aria-pressed={only === 'slow'} onClick={() => setOnly('slow')}>
            slowest
          </button>
          <button type="button" className="facet" aria-pressed={only === 'trouble'} onClick={() => setOnly('trouble')}>
            failed {troubled.length}
          </button>
        </fieldset>
        <TableDownload file={`goldseam-requests-${cluster}`} what="Last requests" table={() => tableOf(chosen)} />
      </div>
      {shown.length === 0 ? (
        <p className="panel-note muted">
          {requests.length === 0 ? 'Nothing was asked yet.' : `None of the last ${plural(requests.length, 'request')}.`}
        </p>
      ) : (
        <>
          <table className="plain-table clusters-requests">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Question</th>
                <th scope="col">Of</th>
                {several && <th scope="col">Endpoint</th>}
                <th scope="col" className="number">
                  Took
                </th>
                <th scope="col" className="number">
                  Answer
                </th>
                <th scope="col">Outcome</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((request, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: requests have no name of their own, and never move
                <tr key={`${request.at} ${request.question} ${index}`} data-trouble={isTrouble(request)}>
                  <td data-label="Time" title={instant(request.at)}>
                    {clock(request.at, tz, true)}
                  </td>
                  <th scope="row" data-label="Question">
                    {request.question}
                  </th>
                  <td data-label="Of" className="muted">
                    {KIND_WORDS[request.kind]}
                  </td>
                  {several && (
                    <td data-label="Endpoint">
                      <code>{request.endpoint}</code>
                    </td>
                  )}
                  <td data-label="Took" className="number">
                    {printed(latency(request.seconds))}
                  </td>
                  <td data-label="Answer" className="number">
                    {request.bytes === null ? '--' : bytes(request.bytes)}
                  </td>
                  <td data-label="Outcome">
                    <Outcome request={request} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {chosen.length > shown.length && (
            <p className="panel-note no-print">
              <button type="button" className="button" onClick={() => setWhole(true)}>
                Show all {chosen.length}
              </button>
            </p>
          )}
        </>
      )}
    </section>
  )
}

function Outcome({ request }: { readonly request: UpstreamRequest }) {
  const { outcome, detail } = request
  if (outcome === 'ok') return <span className="muted">{OUTCOME_WORDS.ok}</span>
  return (
    <>
      {isTrouble(request) && <Glyph mark="crit" size={10} label="failed" />} {OUTCOME_WORDS[outcome]}
      {isTrouble(request) && detail && <div className="muted">{detail}</div>}
    </>
  )
}

function tableOf(requests: readonly UpstreamRequest[]): TableData {
  return {
    head: ['time', 'endpoint', 'question', 'kind', 'seconds', 'bytes', 'outcome', 'detail'],
    rows: requests.map(({ at, endpoint, question, kind, seconds, bytes: size, outcome, detail }) => [
      at,
      endpoint,
      question,
      kind,
      seconds,
      size,
      outcome,
      detail,
    ]),
  }
}
