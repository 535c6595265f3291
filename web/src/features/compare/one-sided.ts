import type { Compare, CompareCell, CompareRow, CompareSide, CompareSideAnswer } from '@goldseam/server/contract'

/** What is drawn and listed of a comparison, whether it has one side or both. */
export type OneSided = Pick<Compare, 'gaps' | 'a' | 'b' | 'all' | 'rows'>

const DIFFERENCES: CompareRow['differences'] = { requestsPerSecond: null, successRatio: null, p50: null, p99: null }

/** One side as a comparison whose other side is empty: nothing is paired, nothing is judged. */
export function oneSided(of: 'a' | 'b', { gaps, side, all, members }: CompareSideAnswer): OneSided {
  const row = (key: string, cell: CompareCell | null): CompareRow => ({
    key,
    a: of === 'a' ? cell : null,
    b: of === 'b' ? cell : null,
    differences: DIFFERENCES,
    verdict: null,
    ratio: null,
  })
  const empty = emptied(side)
  return {
    gaps,
    a: of === 'a' ? side : empty,
    b: of === 'b' ? side : empty,
    all: row('all', all),
    rows: members.map((cell) => row(placeOf(cell, side), cell)),
  }
}

/** As both sides would call it: by namespace and name, where the side has one cluster. */
function placeOf({ id }: CompareCell, { clusters }: CompareSide): string {
  const text = id ?? ''
  return clusters.length === 1 ? text.slice(text.indexOf('/') + 1) : text
}

function emptied(side: CompareSide): CompareSide {
  const none = { at: [], requestsPerSecond: [], successRatio: [], inFlight: [] }
  const nothing = { ...none, mean: [], p50: [], p95: [], p99: [], p999: [] }
  return {
    ...side,
    clusters: [],
    namespace: null,
    name: null,
    version: null,
    onset: null,
    missing: [],
    series: { ...side.series, ...nothing },
    percentiles: { ...side.percentiles, ...nothing },
  }
}
