import type { DrawnEdge } from './drawn.ts'
import { edgeKey, type Layout } from './layout.ts'
import type { Picture } from './picture.ts'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Band {
  readonly name: string
  readonly top: number
  readonly height: number
}

interface Point {
  readonly x: number
  readonly y: number
}

type Curve = readonly [Point, Point, Point, Point]

export interface Line {
  readonly drawn: DrawnEdge
  readonly path: string
  readonly width: number
  /** Where a seam crosses the border of its callee's band, and the direction it has there, in radians. */
  readonly stitch: (Point & { readonly angle: number }) | null
  readonly middle: Point
  /** Where words beside it stand: clear of the stitches. */
  readonly label: Point
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
/** The suspect has the largest card: by so many gaps between rows to each side, half of it above and below. */
const SUSPECT_GROWS = 0.6
const SIZES = {
  roomy: { width: 184, height: 48, rowGap: 20, least: 52, most: 190 },
  small: { width: 132, height: 22, rowGap: 6, least: 34, most: 120 },
} as const

export function isRoomy(picture: Picture): boolean {
  return picture.nodes.length <= ROOMY
}

/** Turns columns and rows into pixels that fill the width there is; wider pictures scroll. */
export function drawingOf(picture: Picture, layout: Layout, availableWidth: number): Drawing {
  const { width, height, rowGap, least, most } = isRoomy(picture) ? SIZES.roomy : SIZES.small
  const room = availableWidth - 2 * MARGIN - layout.columns * width
  const gap = Math.min(most, Math.max(least, layout.columns > 1 ? room / (layout.columns - 1) : 0))
  const bands: Band[] = []
  let top = 0
  for (const { name, rows } of layout.lanes) {
    const bandHeight = LABEL + rows * (height + rowGap) + MARGIN
    bands.push({ name, top, height: bandHeight })
    top += bandHeight
  }
  const bandOf = new Map(bands.map((band) => [band.name, band]))
  const suspects = new Set(picture.nodes.flatMap(({ id, suspectRank }) => (suspectRank === null ? [] : [id])))
  const boxes = new Map<string, Box>()
  for (const [id, { column, row, lane }] of layout.places) {
    const grown = suspects.has(id) ? rowGap * SUSPECT_GROWS : 0
    boxes.set(id, {
      x: MARGIN + column * (width + gap) - grown,
      y: (bandOf.get(lane)?.top ?? 0) + LABEL + row * (height + rowGap) - grown / 2,
      width: width + 2 * grown,
      height: height + grown,
    })
  }
  const ports = portsOf(picture.edges, boxes)
  const lanes = new Map([...layout.places].map(([id, { lane }]) => [id, lane]))
  return {
    width: 2 * MARGIN + layout.columns * width + (layout.columns - 1) * gap,
    height: top,
    boxes,
    bands,
    lines: picture.edges.flatMap((drawn) => {
      const { from, to } = drawn.edge
      const [start, end] = [boxes.get(from), boxes.get(to)]
      if (start === undefined || end === undefined) return []
      const [leaves, arrives] = [ports.leave.get(drawn) ?? 0.5, ports.arrive.get(drawn) ?? 0.5]
      const curve = layout.back.has(edgeKey(drawn.edge)) ? loop(start, end) : across(start, end, leaves, arrives)
      const band = bandOf.get(lanes.get(to) ?? '')
      return {
        drawn,
        path: svgPath(curve),
        width: strokeWidth(drawn.edge.caller?.requestsPerSecond ?? drawn.edge.callee?.requestsPerSecond ?? 0),
        stitch: drawn.edge.seam && band !== undefined ? crossing(curve, band) : null,
        middle: at(curve, 0.5),
        label: at(curve, drawn.edge.seam ? 0.8 : 0.5),
      }
    }),
  }
}

/** Ten times the calls, two pixels more. */
function strokeWidth(requestsPerSecond: number): number {
  return Math.min(9, 1.5 + 2.2 * Math.log10(requestsPerSecond + 1))
}

interface Ports {
  /** Part of the box's height at which a line leaves and arrives. */
  readonly leave: ReadonlyMap<DrawnEdge, number>
  readonly arrive: ReadonlyMap<DrawnEdge, number>
}

/** Lines of one box are spread over its side in the order of where they lead, so that they do not lie on each other. */
function portsOf(edges: readonly DrawnEdge[], boxes: ReadonlyMap<string, Box>): Ports {
  const spread = (end: 'from' | 'to', other: 'from' | 'to') => {
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
  return { leave: spread('from', 'to'), arrive: spread('to', 'from') }
}

function across(from: Box, to: Box, leaves: number, arrives: number): Curve {
  const start = { x: from.x + from.width, y: from.y + from.height * leaves }
  const end = { x: to.x, y: to.y + to.height * arrives }
  const pull = Math.max(24, (end.x - start.x) / 2)
  return [start, { x: start.x + pull, y: start.y }, { x: end.x - pull, y: end.y }, end]
}

/** A call that leads back goes beneath the boxes. */
function loop(from: Box, to: Box): Curve {
  const start = { x: from.x + from.width / 2, y: from.y + from.height }
  const end = { x: to.x + to.width / 2, y: to.y + to.height }
  const low = Math.max(start.y, end.y) + 34
  return [start, { x: start.x, y: low }, { x: end.x, y: low }, end]
}

function at([a, b, c, d]: Curve, t: number): Point {
  const u = 1 - t
  const mix = (pick: (point: Point) => number) =>
    u ** 3 * pick(a) + 3 * u * u * t * pick(b) + 3 * u * t * t * pick(c) + t ** 3 * pick(d)
  return { x: mix(({ x }) => x), y: mix(({ y }) => y) }
}

function crossing(curve: Curve, band: Band): Line['stitch'] {
  const border = curve[0].y < band.top ? band.top : band.top + band.height
  let [low, high] = [0, 1]
  const above = (t: number) => at(curve, t).y < border
  if (above(0) === above(1)) return null
  for (let step = 0; step < 24; step += 1) {
    const middle = (low + high) / 2
    if (above(middle) === above(0)) low = middle
    else high = middle
  }
  const [before, after] = [at(curve, Math.max(0, low - 0.02)), at(curve, Math.min(1, low + 0.02))]
  return { ...at(curve, low), angle: Math.atan2(after.y - before.y, after.x - before.x) }
}

function svgPath([a, b, c, d]: Curve): string {
  const text = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`
  return `M${text(a)}C${text(b)} ${text(c)} ${text(d)}`
}
