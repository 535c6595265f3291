import { type KeyboardEvent, useMemo } from 'react'
import { lastName } from '../../format/workload-name.ts'
import { useWidth } from '../../ui/use-width.ts'
import { drawingOf, isRoomy } from './geometry.ts'
import { layOut } from './layout.ts'
import { MapCard } from './map-card.tsx'
import { MapLines } from './map-lines.tsx'
import { OUTSIDE_LANE, type Picture } from './picture.ts'
import { neighbourOf } from './steps.ts'

interface MapCanvasProps {
  readonly picture: Picture
  /** Clusters from the top down: the order of the config, never of the data. */
  readonly clusters: readonly { readonly name: string; readonly state: string }[]
  readonly selected: string
  readonly select: (id: string) => void
  readonly open: (id: string) => void
}

export function MapCanvas({ picture, clusters, selected, select, open }: MapCanvasProps) {
  const [frame, width] = useWidth<HTMLDivElement>()
  // New numbers must not move anything: the layout follows from who calls whom alone.
  const shape = JSON.stringify([
    picture.nodes.map(({ id, lane }) => [id, lane]),
    picture.edges.map(({ edge }) => [edge.from, edge.to]),
    clusters.map(({ name }) => name),
  ])
  const layout = useMemo(() => {
    const [nodes, edges, lanes] = JSON.parse(shape) as [[string, string][], [string, string][], string[]]
    return layOut(
      nodes.map(([id, lane]) => ({ id, lane })),
      edges.map(([from, to]) => ({ from, to })),
      [...lanes, OUTSIDE_LANE],
    )
  }, [shape])
  const drawing = drawingOf(picture, layout, width)
  const dim = picture.suspects.length > 0
  const roomy = isRoomy(picture)
  const silent = new Map(clusters.map(({ name, state }) => [name, state]))

  function onKeyDown(id: string, event: KeyboardEvent) {
    if (event.key === 'Enter' && selected === id) {
      event.preventDefault()
      open(id)
      return
    }
    const next = neighbourOf(id, event.key, layout, picture.edges)
    if (next === null) return
    event.preventDefault()
    document.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"]`)?.focus()
  }

  return (
    <div className="map-frame" ref={frame}>
      {width > 0 && (
        <div className="map-canvas" style={{ width: Math.max(width, drawing.width), height: drawing.height }}>
          {drawing.bands.map(({ name, top, height }) => (
            <div
              key={name}
              className="map-band"
              data-state={silent.get(name) ?? 'ok'}
              style={{ top, height }}
              aria-hidden="true"
            >
              <span>
                {name}
                {silent.get(name) === 'down' || silent.get(name) === 'stale' ? ` (${silent.get(name)})` : ''}
              </span>
            </div>
          ))}
          <svg className="map-lines" width={Math.max(width, drawing.width)} height={drawing.height} aria-hidden="true">
            <MapLines lines={drawing.lines} selected={selected} dim={dim} />
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
            return (
              <MapCard
                key={drawn.id}
                drawn={drawn}
                box={box}
                roomy={roomy}
                selected={selected === drawn.id}
                dim={dim && !drawn.onPath && selected !== drawn.id}
                select={() => select(selected === drawn.id ? '' : drawn.id)}
                onKeyDown={(event) => onKeyDown(drawn.id, event)}
              />
            )
          })}
        </div>
      )}
    </div>
  )
}
