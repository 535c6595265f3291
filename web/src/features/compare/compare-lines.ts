import type { CompareSide } from '@goldseam/server/contract'
import type { PlotLine } from '../../charts/line-plot.tsx'
import type { Quantity } from '../../format/quantity.ts'
import { errorRate } from '../../format/success.ts'
import type { Align, Percentile } from './compare-search.ts'

export type Drawn = Percentile | 'rps' | 'errors'

/** A log scale has no zero: no errors lie at its floor, and fewer than one in a hundred thousand just above it. */
const NO_ERRORS = 0.8e-5
const LEAST_ERRORS = 0.9e-5

/** The one axis of both sides: the same clock, or both changes, or both beginnings, at zero. Milliseconds. */
export interface Frame {
  readonly fromMs: number
  readonly toMs: number
  readonly marks: readonly { readonly atMs: number; readonly label: string }[]
  /** Whether instants are of the clock; else they are counted from zero. */
  readonly wall: boolean
  /** What the axis counts, or why it cannot count what was asked for. */
  readonly note: string | null
  readonly zeroMs: { readonly a: number; readonly b: number }
}

export function frameOf(a: CompareSide, b: CompareSide, align: Align): Frame {
  const sameWindow = a.from === b.from && a.to === b.to
  const byOnset = align === 'onset' && a.onset !== null && b.onset !== null
  const wall = sameWindow && !byOnset
  const zeroOf = (side: CompareSide) => (wall ? 0 : Date.parse(byOnset ? (side.onset ?? side.from) : side.from))
  const zeroMs = { a: zeroOf(a), b: zeroOf(b) }
  const ends = (
    [
      [a, zeroMs.a],
      [b, zeroMs.b],
    ] as const
  ).flatMap(([side, zero]) => [side.from, side.to].map((text) => Date.parse(text) - zero))
  return {
    fromMs: Math.min(...ends),
    toMs: Math.max(...ends),
    marks: wall ? changes(a, b) : byOnset ? [{ atMs: 0, label: 'both changed' }] : [],
    wall,
    note: noteOf(align, byOnset, wall),
    zeroMs,
  }
}

/** Nearer to each other than this part of the window, two words would lie on each other. */
const NEAR = 0.15

function changes(a: CompareSide, b: CompareSide): Frame['marks'] {
  const found = [a, b].flatMap(({ onset }, index) =>
    onset === null ? [] : [{ atMs: Date.parse(onset), label: `${'AB'[index]} changed` }],
  )
  const [first, second] = found.sort((one, other) => one.atMs - other.atMs)
  if (first === undefined || second === undefined) return found
  const near = second.atMs - first.atMs < NEAR * (Date.parse(a.to) - Date.parse(a.from))
  if (!near) return found
  const label = first.atMs === second.atMs ? 'A and B changed' : `${first.label}, then ${second.label.charAt(0)}`
  return [
    { ...first, label },
    { ...second, label: '' },
  ]
}

function noteOf(align: Align, byOnset: boolean, wall: boolean): string | null {
  if (byOnset) return 'time since each changed'
  if (align === 'onset') return 'no change found on both sides to align at'
  return wall ? null : 'time since each window began'
}

/** Of each measure a line for A, whole, and one for B, dashed. */
export function linesOf(a: CompareSide, b: CompareSide, measures: readonly Drawn[], { zeroMs }: Frame): PlotLine[] {
  return measures.flatMap((of) =>
    (['a', 'b'] as const).map((id): PlotLine => {
      const { at, values } = columnOf(id === 'a' ? a : b, of)
      return {
        id: `${id} ${of}`,
        label: measures.length === 1 ? id.toUpperCase() : `${id.toUpperCase()} ${of}`,
        atMs: at.map((second) => second * 1000 - zeroMs[id]),
        values,
        colour: `var(--side-${id})`,
        // Of several the one that people ask for is the heavy one.
        strong: measures.length === 1 || of === 'p99',
        ...(id === 'b' ? { dash: '7 4' } : {}),
      }
    }),
  )
}

/** Lines of errors as a log axis has room for them. */
export function onLogAxis(lines: readonly PlotLine[]): PlotLine[] {
  const drawn = (value: number) => (value <= 0 ? NO_ERRORS : Math.max(LEAST_ERRORS, value))
  return lines.map((line) => ({
    ...line,
    values: line.values.map((value) => (value === null ? null : drawn(value))),
  }))
}

/** Of what `onLogAxis` draws. */
export function printDrawnErrors(value: number): Quantity {
  return errorRate(value <= NO_ERRORS ? 0 : value)
}

function columnOf(
  { series, percentiles }: CompareSide,
  of: Drawn,
): { at: readonly number[]; values: readonly (number | null)[] } {
  switch (of) {
    case 'rps':
      return { at: series.at, values: series.requestsPerSecond }
    case 'mean':
      return { at: series.at, values: series.mean }
    case 'errors':
      return {
        at: series.at,
        values: series.successRatio.map((ratio) => (ratio === null ? null : 1 - ratio)),
      }
    default:
      return { at: percentiles.at, values: percentiles[of] }
  }
}
