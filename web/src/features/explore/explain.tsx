import { pointsOf, type Stretch } from './explore-search.ts'

interface ExplainProps {
  readonly clusters: readonly string[]
  readonly stretch: Stretch
  readonly instant: boolean
}

/** What the federation does with the expression, in words. */
export function Explain({ clusters, stretch, instant }: ExplainProps) {
  return (
    <details className="explore-explain">
      <summary>What is asked of whom</summary>
      <ul>
        <li>
          Each of {clusters.length} clusters ({clusters.join(', ')}) evaluates the whole expression on its own data, at
          the same instants; every series comes back with its <code>cluster</code>.
        </li>
        <li>Nothing is added up across clusters here, so a percentile is one cluster's own, never an average.</li>
        <li>
          For one number over all clusters ask the API below <code>/prometheus</code>: sum the buckets{' '}
          <code>by (cluster, le)</code> first, then take the quantile.
        </li>
        <li>
          {instant
            ? `One instant: ${new Date(stretch.to * 1000).toISOString()}.`
            : `${pointsOf(stretch)} points a series, one every ${stretch.step} s.`}
        </li>
        <li>
          Write <code>cluster=~"..."</code> in a selector to ask some clusters only, or untick them above.
        </li>
      </ul>
    </details>
  )
}
