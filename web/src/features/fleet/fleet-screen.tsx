import './fleet.css'
import type { Fleet } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { memo, Suspense, useCallback, useDeferredValue, useMemo } from 'react'
import { GapsNote } from '../../answers/gaps-note.tsx'
import { lazyPart } from '../../answers/lazy-part.ts'
import { Loaded } from '../../answers/loaded.tsx'
import { fleetQuery } from '../../api/queries.ts'
import { MisfitNote } from '../../scope/misfit-note.tsx'
import { useAsking } from '../../scope/use-asking.ts'
import { useChangeSearch, useFields, useScope } from '../../scope/use-scope.ts'
import { tableOfFleet } from './fleet-data.ts'
import {
  countStatuses,
  type FleetFilter,
  filterByScope,
  filterByStatus,
  groupsAmong,
  isFiltered,
} from './fleet-filter.ts'
import { inLanes } from './fleet-lanes.ts'
import { orderFleet } from './fleet-order.ts'
import { fleetFields, readSort } from './fleet-search.ts'
import { FleetSkeleton } from './fleet-skeleton.tsx'
import { FleetTable } from './fleet-table.tsx'
import { FleetToolbar } from './fleet-toolbar.tsx'
import { useHeldOrder } from './held-order.ts'

/** What a first look at a busy fleet does not show is loaded when it is needed. */
const FleetGrid = lazyPart(() => import('./fleet-grid.tsx').then((module) => module.FleetGrid))
const FleetGroups = lazyPart(() => import('./fleet-groups.tsx').then((module) => module.FleetGroups))
const NothingConfigured = lazyPart(() => empty().then((module) => module.NothingConfigured))
const NothingMeasured = lazyPart(() => empty().then((module) => module.NothingMeasured))
const FilteredToNothing = lazyPart(() => empty().then((module) => module.FilteredToNothing))
const empty = () => import('./fleet-empty.tsx')

/** "Is anything wrong, and what do I open?" in five seconds. */
export function FleetScreen() {
  const query = useQuery(fleetQuery(useAsking()))
  return (
    <>
      <h1 className="sr-only">Fleet</h1>
      <MisfitNote fields={fleetFields} />
      <div className="fleet-screen">
        <Loaded query={query} waiting={<FleetSkeleton />}>
          {(fleet) => <InGoodTime fleet={fleet} />}
        </Loaded>
      </div>
    </>
  )
}

/** New numbers are drawn when nobody types or scrolls just now, a little at a time. */
function InGoodTime({ fleet }: { readonly fleet: Fleet }) {
  return <Answer fleet={useDeferredValue(fleet)} />
}

const Answer = memo(({ fleet }: { readonly fleet: Fleet }) => {
  const { q, st, view, group, cols, sort: sortText } = useFields(fleetFields)
  const { c, ns } = useScope()
  const change = useChangeSearch()
  // What is clicked and typed shows on the controls at once; the rows follow, a little at a time.
  const asked = useMemo(
    () => ({ q, st, c, ns, view, group, cols, sortText }),
    [q, st, c, ns, view, group, cols, sortText],
  )
  const shown = useDeferredValue(asked)
  // By what it says, so that another order or column does not filter anew.
  const filterText = JSON.stringify({ q: shown.q, st: shown.st, c: shown.c, ns: shown.ns })
  const filter = useMemo(() => JSON.parse(filterText) as FleetFilter, [filterText])
  const changeSort = useCallback((next: string) => change({ sort: next === '-blame' ? undefined : next }), [change])

  const inScope = useMemo(() => filterByScope(fleet.workloads, filter), [fleet.workloads, filter])
  const workloads = useMemo(() => filterByStatus(inScope, filter.st), [inScope, filter])
  const fresh = useMemo(() => {
    const suspects = isFiltered(filter) ? suspectsAmong(fleet, workloads) : fleet.suspects
    const ordered = orderFleet(workloads, suspects, readSort(shown.sortText))
    return inLanes(ordered, shown.view === 'table' ? shown.group : '', fleet.clusters)
  }, [workloads, fleet, filter, shown.sortText, shown.group, shown.view])
  const freshIds = useMemo(() => fresh.map(({ id }) => id), [fresh])
  const held = useHeldOrder(freshIds, `${shown.sortText} ${shown.group} ${filterText}`)
  const rows = useMemo(() => {
    if (held.ids === freshIds) return fresh
    const byId = new Map(fresh.map((row) => [row.id, row]))
    return held.ids.flatMap((id) => byId.get(id) ?? [])
  }, [held.ids, freshIds, fresh])

  const counts = useMemo(() => countStatuses(inScope), [inScope])
  const groups = useMemo(() => groupsAmong(fleet.groups ?? [], inScope), [fleet.groups, inScope])
  const namespaces = useMemo(
    () => [...new Set(fleet.workloads.map(({ namespace }) => namespace))].sort(),
    [fleet.workloads],
  )

  // None found yet is not none configured: then a gap says who could not be asked.
  if (fleet.clusters.length === 0 && fleet.gaps.length === 0) {
    return (
      <Suspense fallback={<FleetSkeleton />}>
        <NothingConfigured />
      </Suspense>
    )
  }
  return (
    <>
      <GapsNote clusters={fleet.clusters} gaps={fleet.gaps} />
      {fleet.more !== undefined && (
        <p role="status" className="fleet-more">
          The {fleet.workloads.length} workloads to look at first; {fleet.more} more are on their way.
        </p>
      )}
      {fleet.workloads.length === 0 ? (
        <Suspense fallback={<FleetSkeleton />}>
          <NothingMeasured clusters={fleet.clusters} />
        </Suspense>
      ) : (
        <>
          <FleetToolbar
            filter={asked}
            counts={counts}
            total={inScope.length}
            clusters={fleet.clusters.map(({ name }) => name)}
            namespaces={namespaces}
            pendingMoves={view === 'table' ? held.pending : 0}
            view={view}
            group={group}
            cols={cols}
            applyOrder={held.apply}
            table={() => tableOfFleet(rows)}
          />
          {groups.length > 0 && (
            <Suspense fallback={null}>
              <FleetGroups groups={groups} />
            </Suspense>
          )}
          <Suspense fallback={<FleetSkeleton />}>
            {rows.length === 0 ? (
              <FilteredToNothing filter={filter} total={fleet.workloads.length} />
            ) : shown.view === 'grid' ? (
              <FleetGrid workloads={rows.flatMap((row) => (row.kind === 'workload' ? [row.workload] : []))} />
            ) : (
              <FleetTable
                rows={rows}
                workloads={workloads}
                sortText={sortText}
                changeSort={changeSort}
                held={held}
                cols={shown.cols}
              />
            )}
          </Suspense>
        </>
      )}
    </>
  )
})

/**
 * A filter that leaves the culprit out leaves its row out too; those it hurts keep saying "via". A suspect that is no
 * workload passes with those it hurts.
 */
function suspectsAmong({ suspects, workloads }: Fleet, shown: Fleet['workloads']): Fleet['suspects'] {
  const measured = new Set(workloads.map(({ id }) => id))
  const left = new Set(shown.map(({ id }) => id))
  return suspects.filter(({ id, victims }) =>
    measured.has(id) ? left.has(id) : victims.some((hurt) => left.has(hurt)),
  )
}
