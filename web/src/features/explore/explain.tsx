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
        <li>
          A <code>histogram_quantile</code> of buckets that are summed without <code>cluster</code> is there once more,
          over all of them together: their buckets are added up first, then the quantile is taken. No percentile is ever
          averaged. Anything else is added up nowhere: it is one cluster's own.
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
