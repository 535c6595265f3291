export interface Point {
  readonly x: number
  readonly y: number
}

/** A cubic Bezier curve: its start, what pulls it at both ends, its end. */
export type Curve = readonly [Point, Point, Point, Point]

interface Rectangle extends Point {
  readonly width: number
  readonly height: number
}

/** A rectangle as it lies when across and down change places. */
export function turn({ x, y, width, height }: Rectangle): Rectangle {
  return { x: y, y: x, width: height, height: width }
}

/** Leaves and arrives level. */
export function towards(start: Point, end: Point): Curve {
  const pull = Math.max(24, (end.x - start.x) / 2)
  return [start, { x: start.x + pull, y: start.y }, { x: end.x - pull, y: end.y }, end]
}

/** A call that leads back goes beneath the boxes. */
export function loop(from: Rectangle, to: Rectangle): Curve {
  const start = { x: from.x + from.width / 2, y: from.y + from.height }
  const end = { x: to.x + to.width / 2, y: to.y + to.height }
  const low = Math.max(start.y, end.y) + 34
  return [start, { x: start.x, y: low }, { x: end.x, y: low }, end]
}

/** `t` from 0 to 1. */
export function pointAt([a, b, c, d]: Curve, t: number): Point {
  const u = 1 - t
  const mix = (pick: (point: Point) => number) =>
    u ** 3 * pick(a) + 3 * u * u * t * pick(b) + 3 * u * t * t * pick(c) + t ** 3 * pick(d)
  return { x: mix(({ x }) => x), y: mix(({ y }) => y) }
}

/** The point with the direction that the curve has there, radians. */
export function whereAt(curve: Curve, t: number): Point & { readonly angle: number } {
  const [before, after] = [pointAt(curve, Math.max(0, t - 0.02)), pointAt(curve, Math.min(1, t + 0.02))]
  return { ...pointAt(curve, t), angle: Math.atan2(after.y - before.y, after.x - before.x) }
}

export function svgPath([a, b, c, d]: Curve): string {
  const text = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`
  return `M${text(a)}C${text(b)} ${text(c)} ${text(d)}`
}
