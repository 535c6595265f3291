import './map.css'
import './map-dots.css'
import './map-groups.css'
import type { Topology } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import { GapsNote } from '../../answers/gaps-note.tsx'
import { Loaded } from '../../answers/loaded.tsx'
import { fleetQuery, topologyQuery } from '../../api/queries.ts'
import { plural } from '../../format/age.ts'
import { instant } from '../../format/clock.ts'
import { parseWorkloadId } from '../../format/workload-name.ts'
import { MisfitNote } from '../../scope/misfit-note.tsx'
import { keepScope } from '../../scope/scope-search.ts'
import type { SearchText } from '../../scope/search-codec.ts'
import { SuspectPath } from '../../scope/suspect-path.tsx'
import { useAskingAt } from '../../scope/use-asking-at.ts'
import { useChangeSearch, useFields, useScope } from '../../scope/use-scope.ts'
import { FigureDownload } from '../../ui/figure-download.tsx'
import { TableDownload } from '../../ui/table-download.tsx'
import { useKey } from '../../ui/use-key.ts'
import { DirectionChoice } from './direction-choice.tsx'
import { GroupChoice } from './group-choice.tsx'
import { inTroubleOf } from './groups.ts'
import { keepShape, readShape, type Shape, shapeText, withUnread } from './last-shape.ts'
import { MapCanvas } from './map-canvas.tsx'
import { tableOfMap } from './map-data.ts'
import { MapDrawer } from './map-drawer.tsx'
import { Legend } from './map-legend.tsx'
import { mapFields } from './map-search.ts'
import { MapTable } from './map-table.tsx'
import { type Picture, pictureOf } from './picture.ts'
import { TimeScrubber } from './time-scrubber.tsx'
import { WaitingMap } from './waiting-map.tsx'

const NARROW = '(max-width: 640px)'

/** The shape of the trouble and whom it reaches, with the seams between clusters in gold. */
export function MapScreen() {
  const query = useQuery(topologyQuery(useAskingAt()))
  const { show, group, view, dir } = useFields(mapFields)
  const { c, ns, saved } = useScope()
  // Another choice has another shape; saved evidence is all there at once.
  const asked = JSON.stringify([show, group, c, ns])
  const shape = useMemo(() => (saved === '' ? readShape(asked) : null), [asked, saved])
  return (
    <div className="map">
      <MisfitNote fields={mapFields} />
      <Loaded query={query} waiting={<WaitingMap shape={shape} direction={dir} table={isTable(view)} />}>
        {(answer) => <Answer answer={answer} shape={shape} asked={asked} />}
      </Loaded>
    </div>
  )
}

interface AnswerProps {
  readonly answer: Topology
  /** What was drawn here last; null: nothing, or something else. */
  readonly shape: Shape | null
  readonly asked: string
}

function Answer({ answer: told, shape, asked }: AnswerProps) {
  const { show, group, sel, view, dir, at } = useFields(mapFields)
  const { data: fleet, isPending } = useQuery(fleetQuery(useAskingAt()))
  const pending = new Set(told.clusters.filter(({ state }) => state === 'pending').map(({ name }) => name))
  const answer = withUnread(told, shape, pending)
  const { saved } = useScope()
  const change = useChangeSearch()
  const chooseMoment = useCallback((at: string) => change({ at }, { replace: true }), [change])
  const navigate = useNavigate()
  const unread = { all: isPending, ids: unreadIn(shape, isPending ? null : pending) }
  const picture = pictureOf(answer, fleet, { show, group, sel, unread })
  const lanes = told.clusters.map(({ name }) => name)
  const text = isPending || pending.size > 0 || saved !== '' ? null : shapeText(asked, picture, lanes)
  useEffect(() => {
    if (text !== null) keepShape(text)
  }, [text])
  const select = (id: string) => change({ sel: id }, { replace: true })
  const showAll = () => change({ show: 'all' })
  const open = (id: string) => {
    const target = parseWorkloadId(id)
    if (target === null) return
    const params = { cluster: target.cluster, ns: target.namespace, name: target.name }
    void navigate({ to: '/d/$cluster/$ns/$name', params, search: (before: SearchText) => keepScope(before) })
  }
  const table = isTable(view)
  const other = table ? 'map' : 'table'
  useKey('T', () => change({ view: other }, { replace: true }))
  useKey(']', () => select(suspectAfter(picture, sel, 1)))
  useKey('[', () => select(suspectAfter(picture, sel, -1)))
  return (
    <>
      <header className="map-head">
        <h1 className="screen-title">Map</h1>
        <div className="map-choices no-print">
          <Choice name="Problem paths" chosen={show === 'problem'} choose={() => change({ show: '' })} />
          <Choice name={`Everything (${picture.total})`} chosen={show === 'all'} choose={showAll} />
          <GroupChoice group={group} shown={picture.group} choose={(chosen) => change({ group: chosen })} />
          {!table && <DirectionChoice direction={dir} choose={(chosen) => change({ dir: chosen })} />}
          <Choice name="As a table" chosen={table} choose={() => change({ view: other })} />
          {table ? (
            <TableDownload file="goldseam-map" what="Calls" table={() => tableOfMap(picture)} />
          ) : (
            <FigureDownload
              file="goldseam-map"
              title="Calls between workloads"
              note={`${instant(answer.snapshot.at)}  ${answer.verdict.text}`}
              figure={() => document.querySelector<HTMLElement>('.map-canvas')}
            />
          )}
        </div>
        <p className="muted" role="status">
          {isPending ? 'Reading who is in trouble...' : summary(picture)}
        </p>
      </header>
      <GapsNote clusters={answer.clusters} gaps={answer.gaps} />
      {picture.edges.length === 0 && picture.nodes.length === 0 ? (
        <p className="panel map-empty">
          No calls seen between workloads in this window. Calls are read from the proxies' outbound metrics: without
          them there is nothing to draw.
        </p>
      ) : (
        <div className="map-body" data-drawer={sel !== ''}>
          {table ? (
            <MapTable picture={picture} />
          ) : (
            <MapCanvas
              picture={picture}
              clusters={answer.clusters}
              unread={isPending ? 'all' : 'pending'}
              direction={dir}
              selected={sel}
              select={select}
              open={open}
              showAll={showAll}
            />
          )}
          {sel !== '' && <MapDrawer picture={picture} selected={sel} select={select} />}
        </div>
      )}
      {picture.suspects[0] && (
        <p className="map-path">
          <span className="muted">Path:</span> <SuspectPath suspect={picture.suspects[0]} />
        </p>
      )}
      {saved === '' && <TimeScrubber at={at} choose={chooseMoment} />}
      {!table && <Legend clusters={told.clusters} />}
    </>
  )
}

function isTable(view: string): boolean {
  return view === '' ? window.matchMedia?.(NARROW).matches === true : view === 'table'
}

/** Those of the last shape in the clusters; of all of them with null. */
function unreadIn(shape: Shape | null, clusters: ReadonlySet<string> | null): ReadonlySet<string> {
  const nodes = shape?.nodes ?? []
  return new Set(nodes.flatMap(({ id, cluster }) => (clusters === null || clusters.has(cluster ?? '') ? [id] : [])))
}

function Choice(props: { readonly name: string; readonly chosen: boolean; readonly choose: () => void }) {
  return (
    <button type="button" className="button" aria-pressed={props.chosen} onClick={props.choose}>
      {props.name}
    </button>
  )
}

function summary({ nodes, edges, suspects, hidden, nothingWrong }: Picture): string {
  const affected = inTroubleOf(nodes.flatMap((drawn) => (drawn.members.length === 0 ? [drawn] : drawn.members)))
  const seams = edges.filter(({ edge }) => edge.seam).length
  const facts = [plural(suspects.length, 'suspect'), `${affected} affected`, plural(seams, 'seam')].join(', ')
  if (nothingWrong) return `${facts}. No problem to show: this is everything.`
  return hidden > 0 ? `${facts}. ${hidden} more not drawn.` : `${facts}.`
}

function suspectAfter({ suspects }: Picture, selected: string, step: number): string {
  const ids = suspects.map(({ id }) => id)
  if (ids.length === 0) return ''
  const at = ids.indexOf(selected)
  return ids[at === -1 ? 0 : (at + step + ids.length) % ids.length] ?? ''
}
