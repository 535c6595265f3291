import type { WallMark } from '@goldseam/server/contract'

export interface Ink {
  readonly ok: string
  readonly warn: string
  readonly crit: string
  readonly none: string
}

/** The quiet ones are small: colour and size are spent on trouble. */
const OK_RADIUS = 0.2
const LOUD = 0.47

/** One cell of `size` pixels: the shape alone tells its state, in grey too. */
export function draw(
  context: CanvasRenderingContext2D,
  mark: WallMark,
  x: number,
  y: number,
  size: number,
  ink: Ink,
): void {
  const [middleX, middleY] = [x + size / 2, y + size / 2]
  context.beginPath()
  switch (mark) {
    case 'ok':
      context.arc(middleX, middleY, Math.max(1.5, size * OK_RADIUS), 0, 2 * Math.PI)
      fill(context, ink.ok)
      break
    case 'none':
      context.arc(middleX, middleY, Math.max(1.5, size * (OK_RADIUS + 0.06)), 0, 2 * Math.PI)
      stroke(context, ink.none, size * 0.07)
      break
    case 'stale':
      hatch(context, middleX, middleY, size * 0.3, ink.none)
      break
    case 'warn':
      triangle(context, middleX, middleY, size * LOUD)
      fill(context, ink.warn)
      break
    case 'warnVia':
      triangle(context, middleX, middleY, size * (LOUD - 0.06))
      stroke(context, ink.warn, size * 0.11)
      break
    case 'crit':
      diamond(context, middleX, middleY, size * (LOUD + 0.05))
      fill(context, ink.crit)
      break
    case 'critVia':
    case 'critOpen':
      diamond(context, middleX, middleY, size * (LOUD - 0.04))
      stroke(context, ink.crit, size * 0.11)
      if (mark === 'critVia') break
      context.beginPath()
      context.arc(middleX, middleY, size * 0.13, 0, 2 * Math.PI)
      fill(context, ink.crit)
      break
    default:
      mark satisfies never
  }
}

function fill(context: CanvasRenderingContext2D, colour: string): void {
  context.fillStyle = colour
  context.fill()
}

function stroke(context: CanvasRenderingContext2D, colour: string, width: number): void {
  context.strokeStyle = colour
  context.lineWidth = Math.max(1, width)
  context.stroke()
}

function triangle(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.moveTo(x, y - radius)
  context.lineTo(x + radius, y + radius * 0.8)
  context.lineTo(x - radius, y + radius * 0.8)
  context.closePath()
}

function diamond(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.moveTo(x, y - radius)
  context.lineTo(x + radius, y)
  context.lineTo(x, y + radius)
  context.lineTo(x - radius, y)
  context.closePath()
}

/** A square with strokes across it. */
function hatch(context: CanvasRenderingContext2D, x: number, y: number, half: number, colour: string): void {
  context.rect(x - half, y - half, 2 * half, 2 * half)
  context.moveTo(x - half, y + half)
  context.lineTo(x + half, y - half)
  context.moveTo(x - half, y)
  context.lineTo(x, y - half)
  context.moveTo(x, y + half)
  context.lineTo(x + half, y)
  stroke(context, colour, half * 0.16)
}
