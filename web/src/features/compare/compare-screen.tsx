import './compare.css'
import type { Compare } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { GapsNote } from '../../answers/gaps-note.tsx'
import { Loaded } from '../../answers/loaded.tsx'
import { fleetQuery } from '../../api/queries.ts'
import { MisfitNote } from '../../scope/misfit-note.tsx'
import { useShownMoment } from '../../scope/shown-moment.ts'
import { useAsking } from '../../scope/use-asking.ts'
import { useChangeSearch, useFields } from '../../scope/use-scope.ts'
import { CompareCharts } from './compare-chart.tsx'
import { CompareGoals } from './compare-goals.tsx'
import { ALIGNS, type CompareSort, compareFields, SORTS, swapped } from './compare-search.ts'
import { CompareTable } from './compare-table.tsx'
import { SideForm } from './side-form.tsx'
import { Sides, Unmatched } from './sides.tsx'
import { type Absent, useComparison } from './use-comparison.ts'

const SORT_WORDS: Record<CompareSort, string> = { change: 'biggest change', name: 'name', rps: 'traffic' }

/** What could not be read for the comparison itself. */
const OWN_GAPS: readonly string[] = ['comparison', 'percentiles of a comparison', 'series']

const USUAL_LINES = compareFields.lat.fallback.join(',')

/** The same thing twice: clusters, namespaces, workloads, versions, windows, on one axis. */
export function CompareScreen() {
  const { a, b, align, sort } = useFields(compareFields)
  const asking = useAsking()
  const change = useChangeSearch()
  const { both, half } = useComparison(a, b, asking)
  useShownMoment(both.data === undefined ? null : Date.parse(both.data.snapshot.at))
  const fleet = useQuery({ ...fleetQuery(asking), refetchInterval: false })
  const places = useMemo(() => placesIn((fleet.data?.workloads ?? []).map(({ id }) => id)), [fleet.data])
  const clusters = places.filter((place) => !place.includes('/') && place !== '*')
  return (
    <div className="compare-screen">
      <h1 className="screen-title">Compare</h1>
      <MisfitNote fields={compareFields} />
      <datalist id="compare-places">
        {places.map((place) => (
          <option key={place} value={place} />
        ))}
      </datalist>
      <div className="toolbar no-print">
        <SideForm side="a" text={a} places={places} change={(text) => change({ a: text })} />
        <SideForm side="b" text={b} places={places} change={(text) => change({ b: text })} />
        <button
          type="button"
          className="button"
          title={b === '' ? 'B is the window before that of A: name a B first' : undefined}
          onClick={() => change(swapped(a, b))}
          disabled={b === ''}
        >
          Swap
        </button>
        {b === '' && clusters[0] && clusters[1] && a === '' && (
          <button type="button" className="button" onClick={() => change({ a: clusters[0], b: clusters[1] })}>
            {clusters[0]} against {clusters[1]}
          </button>
        )}
        <fieldset className="facets" aria-label="Align">
          {ALIGNS.map((name) => (
            <button
              key={name}
              type="button"
              className="facet"
              aria-pressed={align === name}
              onClick={() => change({ align: name === 'clock' ? undefined : name })}
            >
              {name === 'clock' ? 'wall clock' : 'at the change'}
            </button>
          ))}
        </fieldset>
        <label>
          <span className="muted">by </span>
          <select
            className="field"
            value={sort}
            onChange={({ target }) => change({ sort: target.value === 'change' ? undefined : target.value })}
          >
            {SORTS.map((name) => (
              <option key={name} value={name}>
                {SORT_WORDS[name]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {half === null ? (
        <Loaded query={both} waiting={<Waiting />}>
          {(answer) => (
            <>
              <Shown answer={answer} absent={null} />
              <Unmatched answer={answer} />
            </>
          )}
        </Loaded>
      ) : (
        <Shown {...half} />
      )}
    </div>
  )
}

interface ShownProps {
  readonly answer: Pick<Compare, 'gaps' | 'a' | 'b' | 'all' | 'rows'> & Partial<Pick<Compare, 'notes'>>
  readonly absent: Absent | null
}

/** Whatever is there: both sides, or the one that did not have to wait for the other. */
function Shown({ answer, absent }: ShownProps) {
  const { align, sort, goals, lat } = useFields(compareFields)
  const change = useChangeSearch()
  return (
    <>
      <GapsNote clusters={[]} gaps={answer.gaps.filter(({ what }) => OWN_GAPS.includes(what))} />
      <Sides answer={answer} absent={absent} />
      <CompareTable all={answer.all} rows={answer.rows} sort={sort} absent={absent} />
      <CompareCharts
        answer={answer}
        align={align}
        shown={lat}
        show={(names) => change({ lat: names.join(',') === USUAL_LINES ? undefined : names.join(',') })}
        absent={absent}
      />
      <CompareGoals
        text={goals}
        answer={answer}
        absent={absent}
        change={(text) => change({ goals: text === '' ? undefined : text })}
      />
    </>
  )
}

function Waiting() {
  return (
    <section className="panel compare-waiting" aria-busy="true">
      <span className="skeleton" style={{ width: 300 }} />
      <span className="skeleton" style={{ width: 420 }} />
      <span className="sr-only">Reading both sides</span>
    </section>
  )
}

/** Everything, each cluster, each namespace, each workload. */
function placesIn(ids: readonly string[]): string[] {
  const places = new Set<string>(['*'])
  for (const id of ids) {
    const [cluster = '', namespace = ''] = id.split('/')
    places.add(cluster)
    places.add(`${cluster}/${namespace}`)
    places.add(id)
  }
  return [...places].sort((x, y) => x.split('/').length - y.split('/').length || x.localeCompare(y))
}
