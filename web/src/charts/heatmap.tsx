import './chart-tip.css'
import './heatmap.css'
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Zone } from '../format/clock.ts'
import { momentsIn } from '../format/stretch.ts'
import { useDark } from '../ui/use-dark.ts'
import { cividis } from './cividis.ts'

interface HeatmapProps {
  /** Right end of each column, milliseconds. */
  readonly atMs: readonly number[]
  /** From bottom to top; `label` names the row ("1-2 s"). */
  readonly rows: readonly { readonly label: string; readonly tick: string | null }[]
  /** One a column, a value a row; null: nothing was measured then. */
  readonly columns: readonly (readonly (number | null)[] | null)[]
  readonly width: number
  readonly zone: Zone
  readonly print: (value: number) => string
  readonly label: string
  /** Log scale of colour: for counts, whose tail is what one looks for. */
  readonly log?: boolean
}

const LEFT = 60
const BOTTOM = 18
const LEAST_ROW_PX = 5
const MOST_ROW_PX = 18

/** What was how often when: colour is how much. Drawn on a canvas, since it has thousands of cells. */
export const Heatmap = memo(function Heatmap(props: HeatmapProps) {
  const { atMs, rows, columns, width, zone, print, label, log = true } = props
  const [firstMs, lastMs] = [atMs[0] ?? 0, atMs.at(-1) ?? 0]
  const moment = momentsIn(firstMs, lastMs, zone)
  const canvas = useRef<HTMLCanvasElement>(null)
  const dark = useDark()
  const [cell, setCell] = useState<readonly [column: number, row: number] | null>(null)
  const rowPx = Math.max(LEAST_ROW_PX, Math.min(MOST_ROW_PX, Math.floor(220 / Math.max(1, rows.length))))
  const size = { width: Math.max(1, width - LEFT), height: rows.length * rowPx }
  const columnPx = size.width / Math.max(1, columns.length)

  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!canvas.current || !context) return
    const scale = window.devicePixelRatio || 1
    canvas.current.width = Math.round(size.width * scale)
    canvas.current.height = Math.round(size.height * scale)
    context.setTransform(scale, 0, 0, scale, 0, 0)
    context.clearRect(0, 0, size.width, size.height)
    const most = columns.reduce((high, column) => Math.max(high, ...(column ?? []).map((value) => value ?? 0)), 0)
    const style = getComputedStyle(canvas.current)
    columns.forEach((column, x) => {
      const left = Math.floor(x * columnPx)
      const right = Math.floor((x + 1) * columnPx)
      if (column === null) {
        hatch(context, left, right - left, size.height, style.getPropertyValue('--control'))
        return
      }
      column.forEach((value, y) => {
        if (value === null || !(value > 0)) return
        // The rarest cell stays visible: one request in ten thousand is what a stall looks like.
        const part = log ? Math.log1p((value / most) * 999) / Math.log(1000) : value / most
        context.fillStyle = cividis(0.08 + 0.92 * Math.min(1, part), dark)
        context.fillRect(left, size.height - (y + 1) * rowPx, Math.max(1, right - left), rowPx - 0.5)
      })
    })
  }, [columns, columnPx, dark, log, rowPx, size.height, size.width])

  function onPointerMove(event: PointerEvent<HTMLCanvasElement>) {
    const box = event.currentTarget.getBoundingClientRect()
    const column = Math.floor((event.clientX - box.left) / columnPx)
    const row = rows.length - 1 - Math.floor((event.clientY - box.top) / rowPx)
    setCell([clamp(column, columns.length), clamp(row, rows.length)])
  }
  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key]
    if (event.key === 'Escape') return setCell(null)
    if (!by) return
    event.preventDefault()
    const [column, row] = cell ?? [columns.length - 1, 0]
    setCell([clamp(column + (by[0] ?? 0), columns.length), clamp(row + (by[1] ?? 0), rows.length)])
  }
  const value = cell && (columns[cell[0]]?.[cell[1]] ?? null)
  const shownTicks = rows.flatMap(({ tick }, index) => (tick === null ? [] : [{ tick, index }]))
  return (
    <div className="heatmap" style={{ height: size.height + BOTTOM }}>
      {shownTicks.map(({ tick, index }) => (
        <span key={tick} className="heatmap-tick" style={{ bottom: BOTTOM + (index + 1) * rowPx, width: LEFT - 6 }}>
          {tick}
        </span>
      ))}
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        tabIndex={0}
        style={{ left: LEFT, width: size.width, height: size.height }}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setCell(null)}
        onKeyDown={onKeyDown}
        onBlur={() => setCell(null)}
      />
      <span className="heatmap-time" style={{ left: LEFT }}>
        {moment(firstMs)}
      </span>
      <span className="heatmap-time" style={{ right: 0 }}>
        {moment(lastMs)}
      </span>
      {cell && (
        <div
          className="chart-tip heatmap-tip"
          aria-live="polite"
          style={
            cell[0] < columns.length / 2
              ? { left: LEFT + cell[0] * columnPx + 14 }
              : { right: width - LEFT - cell[0] * columnPx + 14 }
          }
        >
          <span className="muted">{moment(atMs[cell[0]] ?? 0, true)}</span>
          <span>
            {rows[cell[1]]?.label}: <b>{value === null ? 'not measured' : print(value)}</b>
          </span>
        </div>
      )}
    </div>
  )
})

function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(length - 1, index))
}

function hatch(context: CanvasRenderingContext2D, left: number, width: number, height: number, colour: string): void {
  context.save()
  context.beginPath()
  context.rect(left, 0, width, height)
  context.clip()
  context.strokeStyle = colour
  context.globalAlpha = 0.5
  for (let y = -width; y < height + width; y += 6) {
    context.beginPath()
    context.moveTo(left, y + width)
    context.lineTo(left + width, y)
    context.stroke()
  }
  context.restore()
}
