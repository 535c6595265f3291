import './plot-axes.css'

interface ValueAxisProps {
  readonly ticks: readonly number[]
  /** Ends of the lines across the plot; the names stand left of them. Pixels. */
  readonly left: number
  readonly right: number
  readonly yOf: (value: number) => number
  readonly print: (value: number) => string
}

/** The values of a chart: a line across and a name for each. */
export function ValueAxis({ ticks, left, right, yOf, print }: ValueAxisProps) {
  return ticks.map((tick) => (
    <g key={tick} className="plot-tick">
      <path d={`M${left} ${yOf(tick)}H${right}`} />
      <text x={left - 6} y={yOf(tick) + 4} textAnchor="end">
        {print(tick)}
      </text>
    </g>
  ))
}

interface InstantAxisProps {
  readonly ticks: readonly number[]
  readonly xOf: (atMs: number) => number
  /** The foot of the letters, in pixels. */
  readonly y: number
  readonly print: (atMs: number) => string
}

/** The instants of a chart: the first and the last stand inside of it. */
export function InstantAxis({ ticks, xOf, y, print }: InstantAxisProps) {
  return ticks.map((tick, index) => (
    <text
      key={tick}
      className="plot-time"
      x={xOf(tick)}
      y={y}
      textAnchor={index === 0 ? 'start' : index === ticks.length - 1 ? 'end' : 'middle'}
    >
      {print(tick)}
    </text>
  ))
}
