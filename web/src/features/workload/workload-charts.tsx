import type { ChartFrame, LatencyUnit } from '../../charts/axes.ts'
import { LatencyChart } from '../../charts/latency-chart.tsx'
import type { PlotCursor } from '../../charts/plot-cursor.ts'
import { SignalChart } from '../../charts/signal-chart.tsx'
import type { Point } from '../../charts/thin.ts'
import { printed } from '../../format/quantity.ts'
import { inFlight, perSecond } from '../../format/rate.ts'
import { errorRate } from '../../format/success.ts'

interface DrawnProps {
  readonly points: readonly Point[]
  readonly frame: ChartFrame
  readonly cursor: PlotCursor
  readonly width: number
}

const ERROR_DOMAIN = [0.00001, 1] as const
/** The floor of the axis is where no errors lie; fewer than it has room for lie there too, and are told as they are. */
const ERROR_TICKS = [0, 0.001, 0.01, 0.1, 1] as const

const printRate = (value: number) => printed(perSecond(value))
const printInFlight = (value: number) => printed(inFlight(value))
const printErrors = (value: number) => printed(errorRate(value))

interface Held extends DrawnProps {
  readonly usual: number | null
  readonly goal: number | null
}

export function RateChart(drawn: Held) {
  return <SignalChart {...drawn} title="Requests per second" of="requestsPerSecond" print={printRate} />
}

export function InFlightChart({ usual, ...drawn }: DrawnProps & { readonly usual: number | null }) {
  return <SignalChart {...drawn} title="Requests in flight" of="inFlight" usual={usual} print={printInFlight} />
}

/** `goal`: of success. */
export function ErrorChart({ goal, ...drawn }: DrawnProps & { readonly goal: number | null }) {
  const most = goal === null ? null : 1 - goal
  const log = { print: printErrors, log: ERROR_DOMAIN, ticks: ERROR_TICKS }
  return <SignalChart {...drawn} {...log} title="Error rate" of="errorRatio" usual={null} goal={most} />
}

/** `usual` and `goal`: of p99. */
export function BandsChart({ usual, goal, ...drawn }: Held & { readonly unit: LatencyUnit }) {
  return <LatencyChart {...drawn} title="Latency" usualP99={usual} goalP99={goal} />
}
