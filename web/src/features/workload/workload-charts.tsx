import type { ChartFrame } from '../../charts/axes.ts'
import { LatencyChart } from '../../charts/latency-chart.tsx'
import { SignalChart } from '../../charts/signal-chart.tsx'
import type { Point } from '../../charts/thin.ts'
import { printed } from '../../format/quantity.ts'
import { inFlight, perSecond } from '../../format/rate.ts'
import { errorRate } from '../../format/success.ts'

interface DrawnProps {
  readonly points: readonly Point[]
  readonly frame: ChartFrame
  readonly width: number
}

const ERROR_DOMAIN = [0.00001, 1] as const
const ERROR_TICKS = [0.00001, 0.001, 0.01, 0.1, 1] as const

const printRate = (value: number) => printed(perSecond(value))
const printInFlight = (value: number) => printed(inFlight(value))
const printErrors = (value: number) => (value <= ERROR_DOMAIN[0] ? '0 %' : printed(errorRate(value)))

export function RateChart({ usual, ...drawn }: DrawnProps & { readonly usual: number | null }) {
  return <SignalChart {...drawn} of="requestsPerSecond" usual={usual} print={printRate} />
}

export function InFlightChart({ usual, ...drawn }: DrawnProps & { readonly usual: number | null }) {
  return <SignalChart {...drawn} of="inFlight" usual={usual} print={printInFlight} />
}

export function ErrorChart(drawn: DrawnProps) {
  return (
    <SignalChart {...drawn} of="errorRatio" usual={null} print={printErrors} log={ERROR_DOMAIN} ticks={ERROR_TICKS} />
  )
}

export function BandsChart({ usualP99, ...drawn }: DrawnProps & { readonly usualP99: number | null }) {
  return <LatencyChart {...drawn} usualP99={usualP99} />
}
