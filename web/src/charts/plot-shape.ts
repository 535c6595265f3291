import { CHART_PX, type ChartFrame, MARGIN, X_AXIS_PX, Y_AXIS_PX } from './axes.ts'
import { type Domain, logPosition } from './scales.ts'
import type { Point } from './thin.ts'

/** Where instants and values lie in a drawing, in pixels from its top left corner. */
export interface Plot {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly xOf: (atMs: number) => number
  readonly atOf: (x: number) => number
  readonly yOf: (value: number) => number
}

interface PlotSize {
  /** Of the drawing with its axis. */
  readonly width: number
  readonly domain: Domain
  readonly log: boolean
}

/** Values outside of the domain lie on its edge. */
export function plotOf({ fromMs, toMs }: ChartFrame, { width, domain, log }: PlotSize): Plot {
  const left = Y_AXIS_PX + MARGIN.left
  const right = Math.max(left, width - MARGIN.right)
  const top = MARGIN.top
  const bottom = CHART_PX - X_AXIS_PX - MARGIN.bottom
  const share = (value: number) =>
    log ? logPosition(value, domain) : Math.min(1, Math.max(0, (value - domain[0]) / (domain[1] - domain[0] || 1)))
  const spanMs = Math.max(1, toMs - fromMs)
  return {
    ...{ left, right, top, bottom },
    xOf: (atMs) => left + ((atMs - fromMs) / spanMs) * (right - left),
    atOf: (x) => fromMs + ((x - left) / Math.max(1, right - left)) * spanMs,
    yOf: (value) => bottom - share(value) * (bottom - top),
  }
}

export type Read = (point: Point) => number | null

/** Stretches of points that all have a value, with none left out between them; in milliseconds of the least step. */
function runsOf(points: readonly Point[], has: (point: Point) => boolean): Point[][] {
  const mostMs = stepOf(points) * 1.5
  const runs: Point[][] = []
  let before: Point | null = null
  for (const point of points) {
    if (!has(point)) before = null
    else {
      if (before !== null && point.atMs - before.atMs <= mostMs) runs.at(-1)?.push(point)
      else runs.push([point])
      before = point
    }
  }
  return runs
}

/** Between two points that follow each other, in milliseconds; 0 for fewer than two. */
function stepOf(points: readonly Point[]): number {
  let least = Number.POSITIVE_INFINITY
  for (let index = 1; index < points.length; index += 1)
    least = Math.min(least, (points[index]?.atMs ?? 0) - (points[index - 1]?.atMs ?? 0))
  return Number.isFinite(least) ? least : 0
}

const px = (value: number) => String(Math.round(value * 10) / 10)

/** One SVG path through the values. A gap stays one, and a point between two gaps is a dot. */
export function lineOf(points: readonly Point[], read: Read, { xOf, yOf }: Plot): string {
  const at = (point: Point) => `${px(xOf(point.atMs))} ${px(yOf(read(point) ?? 0))}`
  return runsOf(points, (point) => read(point) !== null)
    .map((run) => `M${run.map(at).join('L')}${run.length === 1 ? 'h.01' : ''}`)
    .join('')
}

/** The part of a line next to which it rests on too little: over `doubted` points and to their neighbours. */
export function doubtfulLineOf(
  points: readonly Point[],
  read: Read,
  doubted: (point: Point) => boolean,
  plot: Plot,
): string {
  if (!points.some(doubted)) return ''
  const near = new Set<Point>()
  points.forEach((point, index) => {
    if (doubted(point)) for (const other of points.slice(Math.max(0, index - 1), index + 2)) near.add(other)
  })
  return lineOf(points, (point) => (near.has(point) ? read(point) : null), plot)
}

/** One SVG path around what lies between two lines; `low` unset: the lower edge of the plot. */
export function bandOf(points: readonly Point[], high: Read, low: Read | null, plot: Plot): string {
  const { xOf, yOf, bottom } = plot
  const top = (point: Point) => `${px(xOf(point.atMs))} ${px(yOf(high(point) ?? 0))}`
  const base = (point: Point) => `${px(xOf(point.atMs))} ${px(low ? yOf(low(point) ?? 0) : bottom)}`
  return runsOf(points, (point) => high(point) !== null && (low === null || low(point) !== null))
    .filter((run) => run.length > 1)
    .map((run) => `M${run.map(top).join('L')}L${[...run].reverse().map(base).join('L')}Z`)
    .join('')
}

export interface Blank {
  readonly fromMs: number
  readonly toMs: number
  /** `idle`: there were no requests; `unseen`: nothing was measured. */
  readonly why: 'idle' | 'unseen'
}

/** Stretches of the window in which nothing can be drawn, with the reason; from the first instant to the last one. */
export function blanksOf(points: readonly Point[], read: Read, { fromMs, toMs }: ChartFrame): Blank[] {
  const stepMs = stepOf(points)
  const blanks: Blank[] = []
  const add = (blank: Blank) => {
    const last = blanks.at(-1)
    if (last?.why === blank.why && blank.fromMs <= last.toMs) blanks[blanks.length - 1] = { ...last, toMs: blank.toMs }
    else if (blank.toMs > blank.fromMs) blanks.push(blank)
  }
  const inside = (atMs: number) => Math.min(toMs, Math.max(fromMs, atMs))
  let seenMs: number | null = null
  for (const point of points) {
    const { atMs, requestsPerSecond } = point
    if (atMs - (seenMs ?? fromMs) > stepMs * 1.5) {
      add({ fromMs: seenMs === null ? fromMs : seenMs + stepMs / 2, toMs: inside(atMs - stepMs / 2), why: 'unseen' })
    }
    if (read(point) === null && (requestsPerSecond === null || requestsPerSecond === 0)) {
      const why = requestsPerSecond === null ? 'unseen' : 'idle'
      add({ fromMs: inside(atMs - stepMs / 2), toMs: inside(atMs + stepMs / 2), why })
    }
    seenMs = atMs
  }
  if (seenMs !== null && toMs - seenMs > stepMs * 1.5) add({ fromMs: inside(seenMs + stepMs / 2), toMs, why: 'unseen' })
  return blanks
}
