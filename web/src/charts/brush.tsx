import './brush.css'
import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { type ChartFrame, MARGIN, Y_AXIS_PX } from './axes.ts'
import { brushed } from './brushed.ts'

interface BrushProps {
  readonly frame: ChartFrame
  /** Of the chart with its axis and labels. */
  readonly width: number
  /** What the chart keeps free right of its plot. */
  readonly rightPx?: number
  readonly choose: (fromMs: number, toMs: number) => void
  readonly children: ReactNode
}

/** Drag over a chart to look closer at that time. For the keyboard there is the time range, which takes the same. */
export function Brush({ frame, width, rightPx = MARGIN.right, choose, children }: BrushProps) {
  const area = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)
  const plot = { leftPx: Y_AXIS_PX + MARGIN.left, rightPx: width - rightPx }
  const at = ({ clientX }: PointerEvent) => clientX - (area.current?.getBoundingClientRect().left ?? 0)
  function start(event: PointerEvent) {
    if (event.button !== 0) return
    area.current?.setPointerCapture(event.pointerId)
    setDrag({ from: at(event), to: at(event) })
  }
  function end() {
    const range = drag && brushed(drag.from, drag.to, plot, frame)
    setDrag(null)
    if (range) choose(range.fromMs, range.toMs)
  }
  const ends = drag && [drag.from, drag.to].map((x) => Math.min(plot.rightPx, Math.max(plot.leftPx, x)))
  const left = ends ? Math.min(...ends) : 0
  return (
    <div
      ref={area}
      className="brush"
      onPointerDown={start}
      onPointerMove={(event) => drag && setDrag({ ...drag, to: at(event) })}
      onPointerUp={end}
      onPointerCancel={() => setDrag(null)}
    >
      {children}
      {ends && <div className="brush-span" style={{ left, width: Math.max(...ends) - left }} />}
    </div>
  )
}
