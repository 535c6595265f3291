import { type Curve, loop, type Point, pointAt, svgPath, towards, turn, whereAt } from './curves.ts'
import type { DrawnEdge } from './drawn.ts'
import { edgeKey, type Layout } from './layout.ts'
import type { Picture } from './picture.ts'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Band extends Box {
  readonly name: string
}

/** Where calls lead: right, with each cluster a band across the page, or down, with the bands side by side. */
export const DIRECTIONS = ['lr', 'tb'] as const
export type Direction = (typeof DIRECTIONS)[number]

export interface Line {
  readonly drawn: DrawnEdge
  readonly path: string
  readonly width: number
  /** Where a seam crosses the border of its callee's band, and the direction it has there, in radians. */
  readonly stitch: (Point & { readonly angle: number }) | null
  readonly middle: Point
  /** Where words beside it stand: clear of the line and of its stitches. */
  readonly label: Point & { readonly anchor: 'middle' | 'start' }
}

export interface Drawing {
  readonly width: number
  readonly height: number
  readonly boxes: ReadonlyMap<string, Box>
  readonly bands: readonly Band[]
  readonly lines: readonly Line[]
}

/** Past this many boxes everything is drawn small. */
const ROOMY = 60
const MARGIN = 20
const LABEL = 26
/** The suspect has the largest card: so much higher, and twice that wider. Where it is tight cards are narrower. */
const SIZES = {
  roomy: { width: 184, least: 132, height: 48, grows: 12 },
  small: { width: 132, least: 132, height: 22, grows: 3.6 },
} as const
/** Who has no card, because there are too many for names. */
const DOT = 12
/** Words this near to a stitch would lie on it. */
const STITCH_REACH = 44
/** Sine of the angle past which words stand beside a line, not above it. */
const STEEP = 0.6
/** Between the columns of calls, and between the rows of one: at least and at most, pixels. */
const GAPS = {
  lr: { roomy: { column: [52, 190], row: [20, 20] }, small: { column: [34, 120], row: [6, 6] } },
  tb: { roomy: { column: [84, 84], row: [24, 220] }, small: { column: [46, 46], row: [10, 90] } },
} as const

export function isRoomy(picture: Picture): boolean {
  return picture.nodes.length <= ROOMY
}

/**
 * Turns columns and rows into pixels that fill the width there is; what is wider scrolls. All is laid out with calls
 * leading right: where they lead down, across and down change places before and after. `dots`: who has no card.
 */
export function drawingOf(
  picture: Picture,
  layout: Layout,
  availableWidth: number,
  direction: Direction,
  dots: ReadonlySet<string> = new Set(),
): Drawing {
  const down = direction === 'tb'
  const size = isRoomy(picture) ? SIZES.roomy : SIZES.small
  const gaps = GAPS[direction][isRoomy(picture) ? 'roomy' : 'small']
  const widthFor = (availableWidth - 2 * MARGIN - (layout.columns - 1) * gaps.column[0]) / layout.columns
  const broad = down ? size.width : Math.floor(within(widthFor, [size.least, size.width]))
  const [width, height] = down ? [size.height, broad] : [broad, size.height]
  // A band's name and how many more are in it stand at its upper and lower end.
  const ends = down ? { before: LABEL + 6, after: LABEL + MARGIN } : { before: MARGIN, after: MARGIN }
  const sides = down ? { before: MARGIN, after: MARGIN } : { before: LABEL, after: MARGIN }
  const rows = layout.lanes.reduce((sum, lane) => sum + lane.rows, 0)
  const columnRoom = availableWidth - 2 * MARGIN - layout.columns * width
  const rowRoom = availableWidth - layout.lanes.length * (sides.before + sides.after) - rows * height
  const gap = down || layout.columns === 1 ? gaps.column[0] : within(columnRoom / (layout.columns - 1), gaps.column)
  const rowGap = down ? within(rowRoom / Math.max(1, rows), gaps.row) : gaps.row[0]
  const length = ends.before + layout.columns * width + (layout.columns - 1) * gap + ends.after
  const bands: Band[] = []
  let top = 0
  for (const lane of layout.lanes) {
    const bandHeight = sides.before + lane.rows * (height + rowGap) + sides.after
    bands.push({
      name: lane.name,
      x: 0,
      y: top,
      width: Math.max(length, down ? 0 : availableWidth),
      height: bandHeight,
    })
    top += bandHeight
  }
  const last = bands.at(-1)
  if (down && last !== undefined && top < availableWidth)
    bands.splice(-1, 1, { ...last, height: last.height + availableWidth - top })
  const bandOf = new Map(bands.map((band) => [band.name, band]))
  const suspects = new Set(picture.nodes.flatMap(({ id, suspectRank }) => (suspectRank === null ? [] : [id])))
  const boxes = new Map<string, Box>()
  for (const [id, { column, row, lane }] of layout.places) {
    const grows = suspects.has(id) ? size.grows : 0
    const [longer, higher] = down ? [grows, 2 * grows] : [2 * grows, grows]
    const card = {
      x: ends.before + column * (width + gap) - longer / 2,
      y: (bandOf.get(lane)?.y ?? 0) + sides.before + (down ? rowGap / 2 : 0) + row * (height + rowGap) - higher / 2,
      width: width + longer,
      height: height + higher,
    }
    boxes.set(id, dots.has(id) ? dotIn(card) : card)
  }
  const lanes = new Map([...layout.places].map(([id, { lane }]) => [id, lane]))
  const lines = curvesOf(picture.edges, boxes, layout).map(([drawn, curve]): Line => {
    const band = bandOf.get(lanes.get(drawn.edge.to) ?? '')
    const crossed = drawn.edge.seam && band !== undefined ? crossing(curve, band) : null
    return lineOf(drawn, down ? turnedCurve(curve) : curve, crossed)
  })
  return {
    width: down ? top : length,
    height: down ? length : top,
    boxes: down ? new Map([...boxes].map(([id, box]) => [id, turn(box)])) : boxes,
    bands: down ? bands.map(({ name, ...box }) => ({ name, ...turn(box) })) : bands,
    lines,
  }
}

function dotIn({ x, y, width, height }: Box): Box {
  return { x: x + (width - DOT) / 2, y: y + (height - DOT) / 2, width: DOT, height: DOT }
}

function within(wanted: number, [least, most]: readonly [number, number]): number {
  return Math.min(most, Math.max(least, wanted))
}

function turnedCurve([a, b, c, d]: Curve): Curve {
  const over = ({ x, y }: Point) => ({ x: y, y: x })
  return [over(a), over(b), over(c), over(d)]
}

/** A line as it is seen. `crossed`: how far along it a seam crosses the border of a band, 0 to 1. */
function lineOf(drawn: DrawnEdge, curve: Curve, crossed: number | null): Line {
  const width = strokeWidth(drawn.edge.caller?.requestsPerSecond ?? drawn.edge.callee?.requestsPerSecond ?? 0)
  const stitch = crossed === null ? null : whereAt(curve, crossed)
  const places = (drawn.edge.seam ? [0.8, 0.35, 0.65] : [0.5]).map((t) => whereAt(curve, t))
  const isClear = ({ x, y }: Point) => stitch === null || Math.hypot(x - stitch.x, y - stitch.y) > STITCH_REACH
  const { x, y, angle } = places.find(isClear) ?? whereAt(curve, 0.5)
  return {
    drawn,
    path: svgPath(curve),
    width,
    stitch,
    middle: pointAt(curve, 0.5),
    label:
      Math.abs(Math.sin(angle)) > STEEP
        ? { x: x + width / 2 + 8, y: y + 4, anchor: 'start' }
        : { x, y: y - width / 2 - 8, anchor: 'middle' },
  }
}

/** Ten times the calls, two pixels more. */
function strokeWidth(requestsPerSecond: number): number {
  return Math.min(9, 1.5 + 2.2 * Math.log10(requestsPerSecond + 1))
}

function curvesOf(
  edges: readonly DrawnEdge[],
  boxes: ReadonlyMap<string, Box>,
  layout: Layout,
): (readonly [DrawnEdge, Curve])[] {
  const leaves = spread(edges, boxes, 'from', 'to')
  const arrives = spread(edges, boxes, 'to', 'from')
  return edges.flatMap((drawn) => {
    const [from, to] = [boxes.get(drawn.edge.from), boxes.get(drawn.edge.to)]
    if (from === undefined || to === undefined) return []
    const back = layout.back.has(edgeKey(drawn.edge))
    const start = { x: from.x + from.width, y: from.y + from.height * (leaves.get(drawn) ?? 0.5) }
    const end = { x: to.x, y: to.y + to.height * (arrives.get(drawn) ?? 0.5) }
    return [[drawn, back ? loop(from, to) : towards(start, end)]]
  })
}

/**
 * Part of a box's side at which each of its lines leaves or arrives: in the order of where they lead, so that they do
 * not lie on each other.
 */
function spread(
  edges: readonly DrawnEdge[],
  boxes: ReadonlyMap<string, Box>,
  end: 'from' | 'to',
  other: 'from' | 'to',
): ReadonlyMap<DrawnEdge, number> {
  const sides = new Map<string, DrawnEdge[]>()
  for (const drawn of edges) sides.set(drawn.edge[end], [...(sides.get(drawn.edge[end]) ?? []), drawn])
  const middle = (drawn: DrawnEdge) => boxes.get(drawn.edge[other])?.y ?? 0
  const far = (drawn: DrawnEdge) => boxes.get(drawn.edge[other])?.x ?? 0
  return new Map(
    [...sides.values()].flatMap((list) =>
      [...list]
        .sort((a, b) => middle(a) - middle(b) || far(b) - far(a))
        .map((drawn, at): [DrawnEdge, number] => [drawn, (at + 1) / (list.length + 1)]),
    ),
  )
}

/** How far along the curve it crosses into the band or out of its own, 0 to 1; null: it does not. */
function crossing(curve: Curve, band: Box): number | null {
  const border = curve[0].y < band.y ? band.y : band.y + band.height
  let [low, high] = [0, 1]
  const before = (t: number) => pointAt(curve, t).y < border
  if (before(0) === before(1)) return null
  for (let step = 0; step < 24; step += 1) {
    const middle = (low + high) / 2
    if (before(middle) === before(0)) low = middle
    else high = middle
  }
  return low
}
