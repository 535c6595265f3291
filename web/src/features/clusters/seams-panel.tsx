import type { ClusterSeam } from '@goldseam/server/contract'
import { plural } from '../../format/age.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Metric } from '../../ui/metric.tsx'
import { TableDownload } from '../../ui/table-download.tsx'

const RULE_WORDS: Readonly<Record<ClusterSeam['rule'], string>> = {
  labels: 'labels name both ends',
  mirror: 'a mirrored service',
  identity: "the mesh's identities",
  address: 'an address',
  host: 'a host name',
  ingress: 'an ingress',
  declared: 'the config says so',
  rates: 'rates that move together',
}
const CONFIDENCE_WORDS = { solid: 'sure', dashed: 'likely', dotted: 'a guess' } as const
const SEEN_WORDS = { both: 'both ends', caller: "the caller's end", callee: "the callee's end" } as const

interface SeamsPanelProps {
  readonly cluster: string
  readonly seams: readonly ClusterSeam[]
}

/** What crosses into other clusters, by what it was joined, and how much of it both ends agree on. */
export function SeamsPanel({ cluster, seams }: SeamsPanelProps) {
  const sorted = [...seams].sort((a, b) => (b.requestsPerSecond ?? 0) - (a.requestsPerSecond ?? 0))
  return (
    <section className="panel" aria-labelledby="cluster-seams">
      <div className="panel-head">
        <h2 id="cluster-seams">Seams</h2>
        <span className="muted">{sumOf(seams)}</span>
        {seams.length > 0 && <TableDownload file={`goldseam-seams-${cluster}`} what="Seams" />}
      </div>
      {seams.length === 0 ? (
        <p className="panel-note muted">
          No call is known to cross from here into another cluster, or from one to here.
        </p>
      ) : (
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">To</th>
              <th scope="col">Joined by</th>
              <th scope="col">How sure</th>
              <th scope="col">Seen from</th>
              <th scope="col">Rate</th>
              <th scope="col">Accounted for</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((seam) => (
              <tr key={`${seam.from} ${seam.to} ${seam.rule}`}>
                <th scope="row" data-label="From">
                  <WorkloadLink id={seam.from}>{seam.from}</WorkloadLink>
                </th>
                <td data-label="To">
                  <WorkloadLink id={seam.to}>{seam.to}</WorkloadLink>
                </td>
                <td data-label="Joined by">{RULE_WORDS[seam.rule]}</td>
                <td data-label="How sure">
                  {CONFIDENCE_WORDS[seam.confidence]} <span className="muted">{seam.confidence}</span>
                </td>
                <td data-label="Seen from">{SEEN_WORDS[seam.seenFrom]}</td>
                <td data-label="Rate">
                  <Metric kind="rate" value={seam.requestsPerSecond} label="rate" />
                </td>
                <td data-label="Accounted for">
                  {seam.accountedRatio === null ? (
                    <span className="muted" title="The callee's metrics do not tell its callers apart">
                      not told apart
                    </span>
                  ) : (
                    <Metric kind="share" value={seam.accountedRatio} label="callee's rate / caller's rate" />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** "3 by a host name, 1 by an ingress". */
function sumOf(seams: readonly ClusterSeam[]): string {
  const counts = new Map<ClusterSeam['rule'], number>()
  for (const { rule } of seams) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  const parts = [...counts].sort((a, b) => b[1] - a[1]).map(([rule, count]) => `${count} by ${RULE_WORDS[rule]}`)
  return seams.length === 0 ? '' : `${plural(seams.length, 'pair')}: ${parts.join(', ')}`
}
