import './metric.css'
import { metricText, type Reading } from './metric-text.ts'

interface MetricProps extends Reading {
  /** In a dense row: a row says "2 m ago" or "no traffic" once in words, its other cells by their pattern. */
  readonly compact?: boolean
}

/** The only way to print a number. Every number carries how it has to be read. */
export function Metric({ compact = false, ...reading }: MetricProps) {
  const text = metricText(reading)
  const dotted = compact && text.truth === 'noTraffic'
  return (
    <span className="metric" data-truth={text.truth} title={text.tooltip}>
      <span aria-hidden="true">
        {text.before}
        {dotted ? <span className="metric-dots" /> : text.words}
        {text.quantity?.digits}
        {text.quantity && <span className="metric-unit">{text.quantity.unit}</span>}
        {text.truth === 'partial' && <HalfRing />}
        {text.aside !== '' && !compact && <span className="metric-aside">{text.aside}</span>}
      </span>
      <span className="sr-only">{text.spoken}</span>
    </span>
  )
}

function HalfRing() {
  return (
    <svg className="metric-half" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="4.2" fill="none" stroke="currentColor" strokeWidth="1.4" />
      <path d="M5 .8a4.200 4.200 0 0 0 0 8.400z" fill="currentColor" />
    </svg>
  )
}
