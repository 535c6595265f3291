import type { CompareRow, Difference } from '@goldseam/server/contract'
import { useMemo } from 'react'
import { type Domain, sharedLogDomain } from '../../charts/scales.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Glyph, type Mark } from '../../ui/glyph.tsx'
import { Metric } from '../../ui/metric.tsx'
import type { MetricKind } from '../../ui/metric-text.ts'
import { TableDownload } from '../../ui/table-download.tsx'
import { tableOfCompare } from './compare-download.ts'
import type { CompareSort } from './compare-search.ts'
import { Dumbbell } from './dumbbell.tsx'
import type { Absent } from './use-comparison.ts'

type Measure = 'successRatio' | 'requestsPerSecond' | 'p50' | 'p99'

const COLUMNS: readonly { readonly of: Measure; readonly title: string; readonly kind: MetricKind }[] = [
  { of: 'successRatio', title: 'Success', kind: 'success' },
  { of: 'requestsPerSecond', title: 'RPS', kind: 'rate' },
  { of: 'p50', title: 'p50', kind: 'latency' },
  { of: 'p99', title: 'p99', kind: 'latency' },
]

const VERDICTS: Record<Difference, { mark: Mark; word: string }> = {
  same: { mark: 'none', word: 'same' },
  worse: { mark: 'crit', word: 'B worse' },
  better: { mark: 'ok', word: 'B better' },
  more: { mark: 'none', word: 'B more' },
  less: { mark: 'none', word: 'B less' },
  unclear: { mark: 'unknown', word: 'too few to tell' },
}

interface CompareTableProps {
  readonly all: CompareRow
  readonly rows: readonly CompareRow[]
  readonly sort: CompareSort
  readonly absent: Absent | null
}

/** Both sides of each measure with a dumbbell on the column's one axis. */
export function CompareTable({ all, rows, sort, absent }: CompareTableProps) {
  const sorted = useMemo(() => sortedBy(rows, sort), [rows, sort])
  const domains = useMemo(() => {
    const every = [all, ...rows].flatMap(({ a, b }) => [a, b])
    return Object.fromEntries(
      COLUMNS.map(({ of }) => [of, sharedLogDomain([every.map((cell) => drawnValue(cell, of))])]),
    ) as Record<Measure, Domain>
  }, [all, rows])
  return (
    <section className="panel" aria-labelledby="compare-rows">
      <div className="panel-head">
        <h2 id="compare-rows">Side by side</h2>
        <span className="muted">
          <svg width="10" height="10" aria-hidden="true">
            <circle className="dumbbell-a" cx="5" cy="5" r="4" />
          </svg>{' '}
          A{'  '}
          <svg width="10" height="10" aria-hidden="true">
            <path className="dumbbell-b" d="M1 1l8 8m0-8l-8 8" />
          </svg>{' '}
          B, one log axis a column
        </span>
        <TableDownload file="goldseam-compare" what="Side by side" table={() => tableOfCompare(all, sorted)} />
      </div>
      <table className="plain-table compare-table">
        <thead>
          <tr>
            <th scope="col">Workload</th>
            {COLUMNS.map(({ of, title }) => (
              <th key={of} scope="col">
                {title} A | B
              </th>
            ))}
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {rows.length !== 1 && <Row row={all} domains={domains} absent={absent} strong />}
          {sorted.map((row) => (
            <Row key={row.key} row={row} domains={domains} absent={absent} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RowProps {
  readonly row: CompareRow
  readonly domains: Record<Measure, Domain>
  readonly absent: Absent | null
  readonly strong?: boolean
}

function Row({ row, domains, absent, strong = false }: RowProps) {
  const { key, a, b, verdict, ratio } = row
  return (
    <tr data-strong={strong} data-verdict={verdict}>
      <th scope="row" data-label="Workload">
        <RowName row={row} strong={strong} name={key} />
      </th>
      {COLUMNS.map(({ of, title, kind }) => (
        <td key={of} data-label={title}>
          <span className="compare-pair">
            <Side cell={a} of={of} kind={kind} label={`A ${title}`} absent={absent?.side === 'a' ? absent : null} />
            <Dumbbell a={drawnValue(a, of)} b={drawnValue(b, of)} domain={domains[of]} />
            <Side cell={b} of={of} kind={kind} label={`B ${title}`} absent={absent?.side === 'b' ? absent : null} />
          </span>
        </td>
      ))}
      <td data-label="Verdict">
        {verdict === null ? (
          <span className="muted">{absent === null ? 'not judged' : `needs ${absent.side.toUpperCase()}`}</span>
        ) : (
          <span className="compare-verdict">
            <Glyph mark={VERDICTS[verdict].mark} size={11} label={VERDICTS[verdict].word} />
            {VERDICTS[verdict].word}
            {verdict !== 'same' && ratio !== null && <Metric kind="ratio" value={ratio} label="p99 of B against A" />}
          </span>
        )}
      </td>
    </tr>
  )
}

function RowName({
  row: { a, b },
  strong,
  name,
}: {
  readonly row: CompareRow
  readonly strong: boolean
  readonly name: string
}) {
  if (strong) return <b>all, added up</b>
  const ids = [...new Set([a?.id, b?.id])].filter((id): id is string => id != null)
  const [only, other] = ids
  if (only === undefined) return name
  if (other === undefined) return <WorkloadLink id={only}>{name === 'pair' ? undefined : name}</WorkloadLink>
  return (
    <>
      {name === 'pair' ? '' : `${name} `}
      <span className="muted">
        <WorkloadLink id={only}>{name === 'pair' ? undefined : 'A'}</WorkloadLink>{' '}
        <WorkloadLink id={other}>{name === 'pair' ? undefined : 'B'}</WorkloadLink>
      </span>
    </>
  )
}

interface SideProps {
  readonly cell: CompareRow['a']
  readonly of: Measure
  readonly kind: MetricKind
  readonly label: string
  /** Where it is this side that is not there. */
  readonly absent: Absent | null
}

function Side({ cell, of, kind, label, absent }: SideProps) {
  if (absent !== null)
    return <span className="compare-missing hatched">{absent.error === null ? 'reading' : 'no answer'}</span>
  if (cell === null) return <span className="compare-missing hatched">not there</span>
  const { golden, truths, bounds } = cell
  return (
    <Metric
      kind={kind}
      value={numberOf(cell, of)}
      truth={truths[of]}
      label={label}
      sampleCount={golden.sampleCount}
      bucket={of === 'p50' || of === 'p99' ? bounds[of] : null}
      compact
    />
  )
}

function numberOf({ golden }: NonNullable<CompareRow['a']>, of: Measure): number | null {
  return of === 'p50' || of === 'p99' ? golden.latencySeconds[of] : golden[of]
}

const LEAST_ERROR = 1e-5

/** Success is drawn as errors: 99.9 and 99.99 would lie on each other. */
function drawnValue(cell: CompareRow['a'], of: Measure): number | null {
  const value = cell === null ? null : numberOf(cell, of)
  if (value === null) return null
  return of === 'successRatio' ? Math.max(LEAST_ERROR, 1 - value) : value > 0 ? value : null
}

function sortedBy(rows: readonly CompareRow[], sort: CompareSort): readonly CompareRow[] {
  if (sort === 'change') return rows
  const rate = ({ a, b }: CompareRow) => Math.max(a?.golden.requestsPerSecond ?? 0, b?.golden.requestsPerSecond ?? 0)
  return [...rows].sort((one, other) =>
    sort === 'name' ? one.key.localeCompare(other.key) : rate(other) - rate(one) || one.key.localeCompare(other.key),
  )
}
