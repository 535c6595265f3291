import type { WallCluster, WallFrame, WallMark } from '@goldseam/server/contract'
import { useEffect, useRef } from 'react'
import { draw, type Ink } from './draw-mark.ts'
import { type Band, cellAt, type Page } from './layout.ts'
import { counted, middle } from './state.ts'

interface CellsProps {
  readonly frame: WallFrame
  readonly page: Page
  readonly width: number
  readonly height: number
  readonly unit: number
  /** Seconds since the snapshot. */
  readonly passedSeconds: number
}

/** Every workload of a page's clusters, each in its place: one canvas, because there may be thousands. */
export function Cells({ frame, page, width, height, unit, passedSeconds }: CellsProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context) return
    const scale = window.devicePixelRatio
    const [wide, high] = [Math.round(width * scale), Math.round(height * scale)]
    // Setting a size throws the old buffer away: only when it is another one.
    if (element.width !== wide || element.height !== high) {
      element.width = wide
      element.height = high
    }
    context.setTransform(scale, 0, 0, scale, 0, 0)
    context.clearRect(0, 0, width, height)
    const ink = inkOf(element)
    for (const band of page.bands) {
      const cluster = frame.clusters.find(({ name }) => name === band.cluster)
      if (cluster !== undefined) drawBand(context, band, page.pitch, cluster, ink)
    }
  }, [frame, page, width, height])
  return (
    <div className="cells">
      <canvas ref={canvas} style={{ width, height }} role="img" aria-label={spoken(frame)} />
      {page.bands.map((band) => {
        const cluster = frame.clusters.find(({ name }) => name === band.cluster)
        return cluster && <BandLabel key={band.cluster} {...{ band, cluster, unit, passedSeconds }} />
      })}
    </div>
  )
}

function BandLabel({
  band,
  cluster,
  unit,
  passedSeconds,
}: {
  band: Band
  cluster: WallCluster
  unit: number
  passedSeconds: number
}) {
  const { x, y, width, height, labelWidth } = band
  const seen = cluster.state === 'ok' || cluster.state === 'partial'
  const age = (cluster.ageSeconds ?? 0) + passedSeconds
  const letters = Math.floor(labelWidth / (unit * 0.8 * 0.56)) - 1
  const old = age >= 60 && !seen ? 'old' : 'fresh'
  return (
    <div className="band" data-state={cluster.state} data-age={old} style={{ left: x, top: y, width, height }}>
      <span className="band-name" style={{ width: labelWidth }}>
        {middle(cluster.name, Math.max(4, letters))}
      </span>
      {!seen && (
        <span className="band-why">
          {cluster.ageSeconds === null || width < 14 * unit ? 'no answer' : `no answer for ${counted(age)}`}
        </span>
      )}
    </div>
  )
}

function drawBand(
  context: CanvasRenderingContext2D,
  band: Band,
  pitch: number,
  { marks, state }: WallCluster,
  ink: Ink,
): void {
  const silent = state === 'down' || state === 'pending'
  // The loud ones last: they may be larger than their place.
  const loud: { x: number; y: number; mark: WallMark }[] = []
  marks.forEach((mark, index) => {
    const at = cellAt(band, pitch, index)
    // What a silent cluster last said of its workloads is nothing that is known.
    const shown = silent && mark !== 'none' ? 'stale' : mark
    if (shown === 'ok' || shown === 'none' || shown === 'stale') draw(context, shown, at.x, at.y, pitch, ink)
    else loud.push({ ...at, mark: shown })
  })
  for (const { x, y, mark } of loud) draw(context, mark, x, y, pitch, ink)
}

function inkOf(element: HTMLElement): Ink {
  const style = getComputedStyle(element)
  const [ok, warn, crit, none] = ['--ok', '--warn', '--crit', '--none'].map((name) =>
    style.getPropertyValue(name).trim(),
  )
  return { ok: ok ?? '', warn: warn ?? '', crit: crit ?? '', none: none ?? '' }
}

function spoken({ clusters }: WallFrame): string {
  const parts = clusters.map(({ name, marks }) => {
    const bad = marks.filter((mark) => mark !== 'ok' && mark !== 'none' && mark !== 'stale').length
    return `${name}: ${marks.length} deployments, ${bad} in trouble`
  })
  return parts.join('; ')
}
