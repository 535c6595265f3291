import { momentsIn } from '../format/stretch.ts'
import { type ChartFrame, MARGIN, X_AXIS_PX, Y_AXIS_PX } from './axes.ts'

export interface EventTick {
  readonly atMs: number
  readonly text: string
}

interface EventTicksProps {
  readonly ticks: readonly EventTick[]
  readonly frame: ChartFrame
  readonly width: number
  /** What the chart keeps free right of its plot. */
  readonly rightPx?: number
}

const SIZE_PX = 4
/** Ticks nearer than this are one tick that names them all. */
const NEAR_PX = 6

/** What happened, as marks on the time axis: the same on every chart, so that a bend and its cause line up. */
export function EventTicks({ ticks, frame, width, rightPx = MARGIN.right }: EventTicksProps) {
  const moment = momentsIn(frame.fromMs, frame.toMs, frame.zone)
  const plot = width - Y_AXIS_PX - rightPx
  const xOf = (atMs: number) => Y_AXIS_PX + ((atMs - frame.fromMs) / (frame.toMs - frame.fromMs)) * plot
  const inside = ticks.filter(({ atMs }) => atMs >= frame.fromMs && atMs <= frame.toMs)
  const groups: EventTick[][] = []
  for (const tick of [...inside].sort((a, b) => a.atMs - b.atMs)) {
    const last = groups.at(-1)
    if (last?.[0] && xOf(tick.atMs) - xOf(last[0].atMs) < NEAR_PX) last.push(tick)
    else groups.push([tick])
  }
  if (plot <= 0 || groups.length === 0) return null
  return (
    <svg
      className="event-ticks"
      aria-hidden="true"
      width={width}
      height={SIZE_PX * 2 + 2}
      style={{ bottom: X_AXIS_PX - SIZE_PX }}
    >
      {groups.map((group) => {
        const x = xOf(group[0]?.atMs ?? 0)
        return (
          <path key={group[0]?.atMs} d={`M${x} 0l${SIZE_PX} ${SIZE_PX * 2}h${-2 * SIZE_PX}z`}>
            <title>{group.map(({ atMs, text }) => `${moment(atMs, true)} ${text}`).join('\n')}</title>
          </path>
        )
      })}
    </svg>
  )
}
