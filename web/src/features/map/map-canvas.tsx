import type { ClusterState } from '@goldseam/server/contract'
import { type KeyboardEvent, useMemo } from 'react'
import { sharedLogDomain } from '../../charts/scales.ts'
import { lasting } from '../../format/age.ts'
import { lastName } from '../../format/workload-name.ts'
import { useWidth } from '../../ui/use-width.ts'
import { badgesOf } from './badges.ts'
import type { DrawnNode } from './drawn.ts'
import { type Direction, drawingOf, isRoomy } from './geometry.ts'
import { dotsOf } from './label-budget.ts'
import { layOut } from './layout.ts'
import { MapCard } from './map-card.tsx'
import { MapDot } from './map-dot.tsx'
import { MapLines } from './map-lines.tsx'
import { isSilent, OUTSIDE_LANE, type Picture } from './picture.ts'
import { neighbourOf } from './steps.ts'

const HEARD = { state: 'ok' } as const

/** Room that the words of a dot take at most. Pixels. */
const DOT_WORDS = 300
/** Tints of bands; with more clusters they come again. */
const LANES = 6

interface MapCanvasProps {
  readonly picture: Picture
  /** Clusters from the top down: the order of the config, never of the data. */
  readonly clusters: readonly {
    readonly name: string
    readonly state: ClusterState
    readonly ageSeconds: number | null
  }[]
  /** Nothing is known of anybody yet, or of nobody in a cluster that has not answered. */
  readonly unread?: 'all' | 'pending'
  readonly direction: Direction
  readonly selected: string
  readonly select: (id: string) => void
  readonly open: (id: string) => void
  readonly showAll: () => void
}

export function MapCanvas(props: MapCanvasProps) {
  const { picture, clusters, unread = 'pending', direction, selected, select, open, showAll } = props
  const [frame, width] = useWidth<HTMLDivElement>()
  // New numbers must not move anything: the layout follows from who calls whom alone.
  const shape = JSON.stringify([
    picture.nodes.map(({ id, lane }) => [id, lane]),
    picture.edges.map(({ edge }) => [edge.from, edge.to]),
    clusters.map(({ name }) => name),
    clusters.filter(isSilent).map(({ name }) => name),
  ])
  const layout = useMemo(() => {
    const [nodes, edges, lanes, silent] = JSON.parse(shape) as [
      [string, string][],
      [string, string][],
      string[],
      string[],
    ]
    return layOut(
      nodes.map(([id, lane]) => ({ id, lane })),
      edges.map(([from, to]) => ({ from, to })),
      [...lanes, OUTSIDE_LANE],
      silent,
    )
  }, [shape])
  const dots = useMemo(() => dotsOf(picture, selected), [picture, selected])
  const drawing = drawingOf(picture, layout, width, direction, dots)
  const dim = picture.suspects.length > 0
  const badges = badgesOf(drawing.bands.map(({ name }) => name))
  const roomy = isRoomy(picture)
  const states = new Map(clusters.map((cluster) => [cluster.name, cluster]))
  const domain = useMemo(
    () => sharedLogDomain(picture.nodes.map(({ workload }) => workload?.trend.p99Seconds ?? [])),
    [picture],
  )

  function onKeyDown(id: string, event: KeyboardEvent) {
    if (event.key === 'Enter' && selected === id) {
      event.preventDefault()
      open(id)
      return
    }
    const next = neighbourOf(id, event.key, layout, picture.edges, direction)
    if (next === null) return
    event.preventDefault()
    document.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"]`)?.focus()
  }

  return (
    <div className="map-frame" ref={frame}>
      {width > 0 && (
        <div
          className="map-canvas"
          data-unread={unread}
          style={{ width: Math.max(width, drawing.width), height: drawing.height }}
        >
          {drawing.bands.map(({ name, x, y, width: broad, height }, index) => (
            <div
              key={name}
              className="map-band"
              data-direction={direction}
              data-lane={(index % LANES) + 1}
              data-state={states.get(name)?.state ?? 'ok'}
              style={{ left: x, top: y, width: broad, height }}
              aria-hidden="true"
            >
              <span>
                <span className="map-badge">{badges.get(name)}</span> {name}
                {silence(states.get(name))}
              </span>
            </div>
          ))}
          {drawing.bands.map(({ name, x, y, height }) => {
            const others = picture.hiddenIn.get(name) ?? 0
            if (others === 0 || picture.nothingWrong) return null
            return (
              <button
                key={name}
                type="button"
                className="map-more"
                style={{ left: x, top: y + height - 27 }}
                onClick={showAll}
                aria-label={`${others} more in ${name}: show them`}
              >
                + {others} more
              </button>
            )
          })}
          <svg className="map-lines" width={Math.max(width, drawing.width)} height={drawing.height} aria-hidden="true">
            <MapLines lines={drawing.lines} selected={selected} dim={dim} roomy={roomy} select={select} />
          </svg>
          {drawing.lines.map(({ drawn: { edge }, stitch, middle }) => {
            const id = `${edge.from}~${edge.to}`
            const place = stitch ?? (selected === id ? { ...middle, angle: 0 } : null)
            if (place === null) return null
            return (
              <button
                key={`${id} ${edge.destination ?? ''}`}
                type="button"
                className="map-seam"
                style={{ left: place.x, top: place.y }}
                aria-pressed={selected === id}
                aria-label={`Seam from ${lastName(edge.from)} to ${lastName(edge.to)}`}
                onClick={() => select(selected === id ? '' : id)}
              />
            )
          })}
          {picture.nodes.map((drawn) => {
            const box = drawing.boxes.get(drawn.id)
            if (box === undefined) return null
            const common = {
              drawn,
              box,
              unread: unread === 'all' || states.get(drawn.lane)?.state === 'pending',
              ghost: isSilent(states.get(drawn.lane) ?? HEARD),
              dim: dim && !drawn.onPath && !isIn(drawn, selected),
              select: () => select(selected === drawn.id ? '' : drawn.id),
              onKeyDown: (event: KeyboardEvent) => onKeyDown(drawn.id, event),
            }
            const atEnd = box.x > Math.max(width, drawing.width) - DOT_WORDS
            if (dots.has(drawn.id)) return <MapDot key={drawn.id} {...common} atEnd={atEnd} />
            return <MapCard key={drawn.id} {...common} roomy={roomy} domain={domain} selected={isIn(drawn, selected)} />
          })}
        </div>
      )}
    </div>
  )
}

function isIn({ id, members }: DrawnNode, selected: string): boolean {
  return id === selected || members.some((member) => member.id === selected)
}

type Cluster = MapCanvasProps['clusters'][number]

function silence(cluster: Cluster | undefined): string {
  if (cluster?.state === 'pending') return ': no answer yet'
  if (cluster === undefined || !isSilent(cluster)) return ''
  return cluster.ageSeconds === null ? ': no answer yet' : `: last seen ${lasting(cluster.ageSeconds)} ago`
}
