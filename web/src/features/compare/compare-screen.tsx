import './compare.css'
import type { Compare, CompareSide } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { GapsNote } from '../../answers/gaps-note.tsx'
import { Loaded } from '../../answers/loaded.tsx'
import { compareQuery } from '../../api/compare.ts'
import { fleetQuery } from '../../api/queries.ts'
import { clock, instant } from '../../format/clock.ts'
import { MisfitNote } from '../../scope/misfit-note.tsx'
import { useAsking } from '../../scope/use-asking.ts'
import { useChangeSearch, useFields, useScope } from '../../scope/use-scope.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { CompareCharts } from './compare-chart.tsx'
import { CompareGoals } from './compare-goals.tsx'
import { ALIGNS, type CompareSort, compareFields, SORTS } from './compare-search.ts'
import { CompareTable } from './compare-table.tsx'
import { SideForm } from './side-form.tsx'

const SORT_WORDS: Record<CompareSort, string> = { change: 'biggest change', name: 'name', rps: 'traffic' }

const USUAL_LINES = compareFields.lat.fallback.join(',')

/** The same thing twice: clusters, namespaces, workloads, versions, windows, on one axis. */
export function CompareScreen() {
  const { a, b, align, sort, goals, lat } = useFields(compareFields)
  const asking = useAsking()
  const change = useChangeSearch()
  const query = useQuery(compareQuery(a, b, asking))
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
        <button type="button" className="button" onClick={() => change({ a: b, b: a })} disabled={b === ''}>
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
      <Loaded query={query} waiting={<Waiting />}>
        {(answer) => (
          <>
            <GapsNote
              clusters={[]}
              gaps={answer.gaps.filter(({ what }) => what === 'comparison' || what === 'series')}
            />
            <Sides answer={answer} />
            <CompareTable all={answer.all} rows={answer.rows} sort={sort} />
            <CompareCharts
              answer={answer}
              align={align}
              shown={lat}
              show={(names) => change({ lat: names.join(',') === USUAL_LINES ? undefined : names.join(',') })}
            />
            <CompareGoals key={goals} text={goals} all={answer.all} change={(text) => change({ goals: text })} />
            <Unmatched answer={answer} />
          </>
        )}
      </Loaded>
    </div>
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

function Sides({ answer: { a, b, notes, rows } }: { readonly answer: Compare }) {
  return (
    <div className="compare-sides">
      <SideLine name="A" side={a} />
      <SideLine name="B" side={b} />
      {rows.length === 0 && (
        <p className="note">
          Nothing is on both sides: workloads are paired by namespace and name. Name one workload on each side to
          compare two that are called differently.
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
    </div>
  )
}

function SideLine({ name, side }: { readonly name: 'A' | 'B'; readonly side: CompareSide }) {
  const { tz } = useScope()
  const { clusters, namespace, name: workload, version, from, to, missing } = side
  const place = [clusters.join(', '), namespace, workload].filter(Boolean).join(' / ')
  return (
    <p>
      <span className="compare-key" data-side={name.toLowerCase()}>
        {name}
      </span>{' '}
      <strong>{place}</strong>
      {version && `, version ${version}`}{' '}
      <span className="muted" title={`${instant(from)} to ${instant(to)}`}>
        {clock(from, tz)}-{clock(to, tz)}
      </span>
      {missing.length > 0 && <span className="hatched"> without {missing.join(', ')}</span>}
    </p>
  )
}

function Unmatched({ answer: { onlyA, onlyB } }: { readonly answer: Compare }) {
  if (onlyA.length + onlyB.length === 0) return null
  return (
    <details className="compare-unmatched">
      <summary>
        only in A: {onlyA.length}, only in B: {onlyB.length}
      </summary>
      {[onlyA, onlyB].map((ids, index) => (
        <p key={index === 0 ? 'a' : 'b'}>
          {'AB'[index]}:{' '}
          {ids.map((id) => (
            <span key={id} className="compare-only">
              <WorkloadLink id={id} />
            </span>
          ))}
        </p>
      ))}
    </details>
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
