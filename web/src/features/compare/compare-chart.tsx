import type { Compare, CompareSide } from '@goldseam/server/contract'
import { useMemo, useState } from 'react'
import { LinePlot, type PlotLine } from '../../charts/line-plot.tsx'
import { clock } from '../../format/clock.ts'
import { latency } from '../../format/latency.ts'
import { MINUS, printed } from '../../format/quantity.ts'
import { perSecond } from '../../format/rate.ts'
import { errorRate } from '../../format/success.ts'
import { useScope } from '../../scope/use-scope.ts'
import { useWidth } from '../../ui/use-width.ts'
import type { Align } from './compare-search.ts'

const SHOWN = ['p99', 'p95', 'p50', 'mean', 'rps', 'errors'] as const
type Shown = (typeof SHOWN)[number]
const LEAST_ERROR = 1e-5

/** Both sides on one axis with one scale, always: at the same clock, or with both changes at zero. */
export function CompareChart({ answer, align }: { readonly answer: Compare; readonly align: Align }) {
  const [of, setOf] = useState<Shown>('p99')
  const [ref, width] = useWidth<HTMLDivElement>()
  const { tz } = useScope()
  const { a, b } = answer
  const drawn = useMemo(() => drawnOf(a, b, of, align), [a, b, of, align])
  const print = (value: number) =>
    printed(
      of === 'rps' ? perSecond(value) : of === 'errors' ? errorRate(value <= LEAST_ERROR ? 0 : value) : latency(value),
    )
  return (
    <figure className="panel compare-chart" aria-label="Both sides over time">
      <div className="compare-chart-head">
        <fieldset className="facets" aria-label="Measure">
          {SHOWN.map((name) => (
            <button key={name} type="button" className="facet" aria-pressed={of === name} onClick={() => setOf(name)}>
              {name}
            </button>
          ))}
        </fieldset>
        <span className="compare-key" data-side="a">
          A
        </span>
        <span className="compare-key" data-side="b">
          B
        </span>
        {drawn.note && <span className="muted">{drawn.note}</span>}
      </div>
      <div ref={ref}>
        {width > 0 && (
          <LinePlot
            lines={drawn.lines}
            width={width}
            height={230}
            fromMs={drawn.fromMs}
            toMs={drawn.toMs}
            zone={tz}
            print={print}
            log={of !== 'rps'}
            marks={drawn.marks}
            label={`${of} of A and of B over time; the table has their sums`}
            printAt={drawn.wall ? (atMs) => clock(atMs, tz) : offset}
          />
        )}
      </div>
    </figure>
  )
}

function drawnOf(a: CompareSide, b: CompareSide, of: Shown, align: Align) {
  const sameWindow = a.from === b.from && a.to === b.to
  const byOnset = align === 'onset' && a.onset !== null && b.onset !== null
  const wall = sameWindow && !byOnset
  const zeroOf = (side: CompareSide) => (wall ? 0 : Date.parse(byOnset ? (side.onset ?? side.from) : side.from))
  const line = (id: 'a' | 'b', side: CompareSide): PlotLine => {
    const { at, values } = columnOf(side, of)
    return {
      id,
      label: id.toUpperCase(),
      atMs: at.map((second) => second * 1000 - zeroOf(side)),
      values,
      colour: `var(--side-${id})`,
      strong: true,
      ...(id === 'b' ? { dash: '7 4' } : {}),
    }
  }
  const ends = [a, b].flatMap((side) => [side.from, side.to].map((text) => Date.parse(text) - zeroOf(side)))
  const marks = wall
    ? [a, b].flatMap(({ onset }, index) =>
        onset === null ? [] : [{ atMs: Date.parse(onset), label: `${'AB'[index]} changed` }],
      )
    : byOnset
      ? [{ atMs: 0, label: 'both changed' }]
      : []
  return {
    lines: [line('a', a), line('b', b)],
    fromMs: Math.min(...ends),
    toMs: Math.max(...ends),
    marks,
    wall,
    note:
      align === 'onset' && !byOnset
        ? 'no change found on both sides to align at'
        : wall
          ? null
          : byOnset
            ? 'time since each changed'
            : 'time since each window began',
  }
}

function columnOf(
  { series, percentiles }: CompareSide,
  of: Shown,
): { at: readonly number[]; values: readonly (number | null)[] } {
  switch (of) {
    case 'rps':
      return { at: series.at, values: series.requestsPerSecond }
    case 'mean':
      return { at: series.at, values: series.mean }
    case 'errors':
      return {
        at: series.at,
        values: series.successRatio.map((ratio) => (ratio === null ? null : Math.max(LEAST_ERROR, 1 - ratio))),
      }
    default:
      return { at: percentiles.at, values: percentiles[of] }
  }
}

function offset(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000)
  const text = seconds % 60 === 0 || seconds > 600 ? `${Math.round(seconds / 60)} m` : `${seconds} s`
  return `${ms < 0 ? MINUS : '+'}${text}`
}
