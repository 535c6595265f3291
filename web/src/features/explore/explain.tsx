import { pointsOf, type Stretch } from './explore-search.ts'

interface ExplainProps {
  readonly clusters: readonly string[]
  readonly stretch: Stretch
  readonly instant: boolean
  /** One answer over all of them is wanted. */
  readonly joined: boolean
}

/** What the federation does with the expression, in words. */
export function Explain({ clusters, stretch, instant, joined }: ExplainProps) {
  return (
    <details className="explore-explain">
      <summary>What is asked of whom</summary>
      <ul>
        {joined ? <Joined clusters={clusters} /> : <Apart clusters={clusters} />}
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

function Apart({ clusters }: Pick<ExplainProps, 'clusters'>) {
  return (
    <>
      <li>
        Each of {clusters.length} clusters ({clusters.join(', ')}) evaluates the whole expression on its own data, at
        the same instants; every series comes back with its <code>cluster</code>.
      </li>
      <li>
        A <code>histogram_quantile</code> of buckets that are summed without <code>cluster</code> is there once more,
        over all of them together: their buckets are added up first, then the quantile is taken. No percentile is ever
        averaged. Anything else is one cluster's own; "Added up" makes one answer of sums, counts, largest and smallest
        ones, and averages.
      </li>
    </>
  )
}

function Joined({ clusters }: Pick<ExplainProps, 'clusters'>) {
  return (
    <>
      <li>
        Each of {clusters.length} clusters ({clusters.join(', ')}) is asked for the sums, counts, largest and smallest
        ones in the expression; those of the same labels become one. An average is made of sums and counts, a{' '}
        <code>histogram_quantile</code> of buckets that were added up; arithmetic is done last.
      </li>
      <li>
        What cannot be made of each one's answer, such as <code>topk</code> or a <code>quantile</code> of values, says
        why, and stays each cluster's own.
      </li>
    </>
  )
}
