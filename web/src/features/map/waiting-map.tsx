import { useMemo } from 'react'
import type { Direction } from './geometry.ts'
import { pictureOfShape, type Shape } from './last-shape.ts'
import { MapCanvas } from './map-canvas.tsx'

interface WaitingMapProps {
  readonly shape: Shape | null
  readonly direction: Direction
  readonly table: boolean
}

/** Until the first answer: who called whom when the map was last drawn here, grey, so that nothing jumps later. */
export function WaitingMap({ shape, direction, table }: WaitingMapProps) {
  const picture = useMemo(() => (shape === null ? null : pictureOfShape(shape)), [shape])
  if (shape === null || picture === null || table) return <p className="muted">Reading the clusters...</p>
  return (
    <>
      <header className="map-head">
        <h1 className="screen-title">Map</h1>
        <p className="muted" role="status">
          Reading the clusters... Grey: as the map was last drawn here.
        </p>
      </header>
      <div className="map-body" aria-busy="true">
        <MapCanvas
          picture={picture}
          clusters={shape.lanes.map((name) => ({ name, state: 'ok', ageSeconds: null }))}
          unread="all"
          direction={direction}
          selected=""
          select={() => undefined}
          open={() => undefined}
          showAll={() => undefined}
        />
      </div>
    </>
  )
}
