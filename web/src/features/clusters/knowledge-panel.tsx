import type { ClusterDetail } from '@goldseam/server/contract'
import { Fragment } from 'react'
import { plural } from '../../format/age.ts'
import { latency } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'
import { LabelUses } from './label-uses.tsx'
import { rulesWords } from './rules-words.ts'

/** By what meshes were recognised, what is known beside them, and in which buckets latencies are counted. */
export function KnowledgePanel({ detail }: { readonly detail: ClusterDetail }) {
  const { lookedFor, beside, bucketLayouts } = detail
  return (
    <section className="panel clusters-unresolved" aria-labelledby="cluster-knowledge">
      <h2 id="cluster-knowledge">What the picture is made of</h2>
      <ul className="clusters-known">
        {lookedFor.map(({ dialect, metrics }) => (
          <li key={dialect}>
            {dialect === 'any' ? 'No mesh found. Looked for' : `${dialect}, found by one of`}{' '}
            {metrics.map((name, index) => (
              <span key={name}>
                {index > 0 && ', '}
                <code>{name}</code>
              </span>
            ))}
          </li>
        ))}
        <li>{besideWords(beside)}</li>
        {rulesWords(detail).map((words) => (
          <li key={words}>{words}</li>
        ))}
        {bucketLayouts.map(({ boundsSeconds, workloads }) => (
          <li key={boundsSeconds.join(' ')}>
            {bucketWords(boundsSeconds)} <span className="muted">({plural(workloads, 'workload')})</span>
          </li>
        ))}
        {bucketLayouts.length > 1 && (
          <li>Over workloads with different buckets, percentiles are taken from the bounds that they share.</li>
        )}
      </ul>
      {lookedFor.map(({ dialect, labelUses = [] }) => (
        <Fragment key={dialect}>
          {labelUses.length > 0 && <h3 className="clusters-labels-head">What the labels of {dialect} are read as</h3>}
          <LabelUses dialect={dialect} uses={labelUses} />
        </Fragment>
      ))}
    </section>
  )
}

function besideWords(beside: ClusterDetail['beside']): string {
  const { podAddresses = 0, services = 0, balancers = 0, exposedHosts = 0 } = beside ?? {}
  const parts = [
    ...(podAddresses > 0 ? [plural(podAddresses, 'pod address', 'pod addresses')] : []),
    ...(services > 0 ? [plural(services, 'service')] : []),
    ...(balancers > 0 ? [plural(balancers, 'load balancer')] : []),
    ...(exposedHosts > 0 ? [plural(exposedHosts, 'host at its ingress', 'hosts at its ingress')] : []),
  ]
  return parts.length === 0
    ? 'No kube-state-metrics and no ingress metrics: rollouts and restarts are not told, and calls are joined without addresses and hosts.'
    : `Beside the mesh it knows ${parts.join(', ')}.`
}

function bucketWords(bounds: readonly number[]): string {
  const [first, last] = [bounds[0], bounds.at(-1)]
  if (first === undefined || last === undefined) return 'No latency buckets.'
  return `${bounds.length} latency buckets from ${printed(latency(first))} to ${printed(latency(last))}: slower than that is only known to be slower.`
}
