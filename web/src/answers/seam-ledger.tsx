import './seam-ledger.css'
import type { Edge, EdgeView } from '@goldseam/server/contract'
import { lasting } from '../format/age.ts'
import { tcpTexts } from '../format/bytes.ts'
import { bucketRange } from '../format/latency.ts'
import { printed } from '../format/quantity.ts'
import { lastName, nameInSentence } from '../format/workload-name.ts'
import { Metric } from '../ui/metric.tsx'
import { agesOf, boundsOnly, meanReading, percentileReading, rateReading, successReading } from './edge-reading.ts'

const CONFIDENCE: Record<Edge['confidence'], string> = {
  solid: 'solid: both ends are named',
  dashed: 'dashed: joined by what both ends say, not by identity',
  dotted: 'dotted: an assumption, no blame goes through it',
}

const RULES: Record<Edge['rule'], string> = {
  labels: 'labels name both ends',
  mirror: 'mirrored service',
  identity: 'identity',
  address: 'address',
  host: 'host name',
  ingress: 'ingress',
  declared: 'declared in the config',
  rates: 'rates that match',
}

/** Both ends of a seam, entry against entry, and what is lost between them. */
export function SeamLedger({ edge }: { readonly edge: Edge }) {
  const { caller, callee, calleeMean } = edge
  const ages = agesOf(edge)
  return (
    <section className="ledger" data-confidence={edge.confidence} aria-label={`Seam from ${edge.from} to ${edge.to}`}>
      <p className="ledger-head">
        <strong>
          {nameInSentence(edge.from)} <span className="ledger-arrow">⇒</span> {nameInSentence(edge.to)}
        </strong>
        <span>{CONFIDENCE[edge.confidence]}</span>
        <span className="muted">
          joined by {RULES[edge.rule]}
          {edge.destination ? ` ${edge.destination}` : ''}
          {edge.via ? `, through ${nameInSentence(edge.via)}` : ''}
        </span>
      </p>
      <table className="ledger-table">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Who says so</span>
            </th>
            <th scope="col">rate</th>
            <th scope="col">mean</th>
            <th scope="col">p50</th>
            <th scope="col">p99</th>
            <th scope="col">success</th>
          </tr>
        </thead>
        <tbody>
          <EndRow who={`${lastName(edge.from)} sees`} view={caller} ageSeconds={ages.caller} />
          <EndRow
            who={`${lastName(edge.to)} says`}
            view={callee}
            ageSeconds={ages.callee}
            note={calleeMean === 'all' ? 'over all its callers' : undefined}
          />
          <tr className="ledger-seam">
            <th scope="row">seam</th>
            <td>
              <Metric kind="share" value={edge.accountedRatio} label="accounted for" />{' '}
              <span className="muted">seen</span>
            </td>
            <td>
              <Metric kind="latencyDelta" value={edge.seamSeconds} label="the seam's own time" />
            </td>
            <td colSpan={3} className="muted">
              network, gateway and ingress; percentiles do not subtract
            </td>
          </tr>
        </tbody>
      </table>
      <ul className="ledger-evidence">
        {[...edge.evidence, ...edge.notes, ...edge.signals.map(({ text }) => text), ...tcpTexts(edge.tcp)].map(
          (text) => (
            <li key={text}>{text}</li>
          ),
        )}
        <OldEnds edge={edge} />
      </ul>
    </section>
  )
}

/** Which of the ends tells what was; of what was saved without the age of each, only that one does. */
function OldEnds({ edge }: { readonly edge: Edge }) {
  const { from, to, ageSeconds, callerAgeSeconds, calleeAgeSeconds } = edge
  if (callerAgeSeconds === undefined && calleeAgeSeconds === undefined)
    return ageSeconds !== null && <li>One end is last good data, {lasting(ageSeconds)} old.</li>
  const ages = agesOf(edge)
  return (
    <>
      {ages.caller !== null && (
        <li>
          What {lastName(from)} sees is last good data, {lasting(ages.caller)} old.
        </li>
      )}
      {ages.callee !== null && (
        <li>
          What {lastName(to)} says is last good data, {lasting(ages.callee)} old.
        </li>
      )}
    </>
  )
}

interface EndRowProps {
  readonly who: string
  readonly view: EdgeView | null
  readonly ageSeconds: number | null
  readonly note?: string | undefined
}

function EndRow({ who, view, ageSeconds, note }: EndRowProps) {
  return (
    <tr>
      <th scope="row">
        {who} {note && <span className="muted">{note}</span>}
      </th>
      {view ? (
        <>
          <td>
            <Metric {...rateReading(view, ageSeconds)} compact />
          </td>
          <td>
            <Metric {...meanReading(view, ageSeconds)} compact />
          </td>
          <td>
            <Percentile view={view} name="p50" ageSeconds={ageSeconds} />
          </td>
          <td>
            <Percentile view={view} name="p99" ageSeconds={ageSeconds} />
          </td>
          <td>
            <Metric {...successReading(view, ageSeconds)} />
          </td>
        </>
      ) : (
        <td colSpan={5} className="muted">
          no view from this side
        </td>
      )}
    </tr>
  )
}

interface PercentileProps {
  readonly view: EdgeView
  readonly name: 'p50' | 'p99'
  readonly ageSeconds: number | null
}

export function Percentile({ view, name, ageSeconds }: PercentileProps) {
  const bounds = boundsOnly(view, name)
  if (!bounds) return <Metric {...percentileReading(view, name, ageSeconds)} />
  return <span title={`${name}: only the bucket is known`}>{printed(bucketRange(bounds[0], bounds[1]))}</span>
}
