import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from '@playwright/test'

/** Of the width and height of the screen: small in the repository, and blind to how a letter's edge is drawn. */
const SCALE = 4
/** Compared by the mean of squares of so many pixels of the small picture. */
const SQUARE = 2
/** Most that a square's red, green or blue may be away from the baseline's, of 255. */
const MOST_AWAY = 16
/** So many squares may be further away: a digit or two, no more. */
const MOST_SQUARES = 6

export interface Comparison {
  /** Whether there is a baseline. */
  readonly isKept: boolean
  readonly squaresAway: number
  /** In pixels of the screen, where they are; empty when there are none. */
  readonly where: string
  /** The small picture, as WebP. */
  readonly small: Buffer
}

/** Whether a page looks as its baseline. */
export const looksTheSame = ({ squaresAway }: Comparison) => squaresAway <= MOST_SQUARES

/** The page against a baseline; without one, nothing is away. `desk`: a blank page to compute in. */
export async function compareLooks(page: Page, desk: Page, baseline: string | null): Promise<Comparison> {
  const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  const kept = baseline !== null && existsSync(baseline) ? readFileSync(baseline).toString('base64') : null
  const { small, ...found } = await desk.evaluate(measure, {
    ...{ shot: shot.toString('base64'), kept, scale: SCALE, square: SQUARE, most: MOST_AWAY },
  })
  return { ...found, isKept: kept !== null, small: Buffer.from(small, 'base64') }
}

export function keepBaseline(path: string, small: Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, small)
}

interface Measured {
  readonly shot: string
  readonly kept: string | null
  readonly scale: number
  readonly square: number
  readonly most: number
}

/** Runs in the browser, which can read and write pictures. */
async function measure({ shot, kept, scale, square, most }: Measured) {
  const whole = await pixelsOf(`data:image/png;base64,${shot}`)
  const tiny = shrunk(whole, scale)
  const canvas = document.createElement('canvas')
  canvas.width = tiny.width
  canvas.height = tiny.height
  canvas.getContext('2d')?.putImageData(tiny, 0, 0)
  const small = canvas.toDataURL('image/webp', 0.8).split(',')[1] ?? ''
  if (kept === null) return { squaresAway: 0, where: '', small }
  const before = await pixelsOf(`data:image/webp;base64,${kept}`)
  if (before.width !== tiny.width || before.height !== tiny.height)
    return { squaresAway: Number.MAX_SAFE_INTEGER, where: 'another size', small }
  // The new picture goes through the same loss as the old one did.
  const [a, b] = [shrunk(before, square), shrunk(await pixelsOf(`data:image/webp;base64,${small}`), square)]
  let squaresAway = 0
  const box = { left: a.width, top: a.height, right: 0, bottom: 0 }
  for (let y = 0; y < a.height; y += 1) {
    for (let x = 0; x < a.width; x += 1) {
      const at = 4 * (y * a.width + x)
      if ([0, 1, 2].every((part) => Math.abs((a.data[at + part] ?? 0) - (b.data[at + part] ?? 0)) <= most)) continue
      squaresAway += 1
      box.left = Math.min(box.left, x)
      box.right = Math.max(box.right, x + 1)
      box.top = Math.min(box.top, y)
      box.bottom = Math.max(box.bottom, y + 1)
    }
  }
  const unit = scale * square
  const where = `${squaresAway} squares between ${box.left * unit},${box.top * unit} and ${box.right * unit},${box.bottom * unit}`
  return { squaresAway, where: squaresAway === 0 ? '' : where, small }

  async function pixelsOf(source: string): Promise<ImageData> {
    const image = new Image()
    image.src = source
    await image.decode()
    const drawn = document.createElement('canvas')
    drawn.width = image.width
    drawn.height = image.height
    const context = drawn.getContext('2d', { willReadFrequently: true })
    if (context === null) throw new Error('no canvas')
    context.drawImage(image, 0, 0)
    return context.getImageData(0, 0, image.width, image.height)
  }

  /** Means of squares of `by` pixels: the same on every machine, which a browser's own smoothing is not. */
  function shrunk({ width, height, data }: ImageData, by: number): ImageData {
    const image = new ImageData(Math.floor(width / by), Math.floor(height / by))
    for (let y = 0; y < image.height; y += 1) {
      for (let x = 0; x < image.width; x += 1) {
        const sums = [0, 0, 0]
        for (let row = 0; row < by; row += 1) {
          for (let column = 0; column < by; column += 1) {
            const at = 4 * ((y * by + row) * width + x * by + column)
            for (const part of [0, 1, 2]) sums[part] = (sums[part] ?? 0) + (data[at + part] ?? 0)
          }
        }
        const to = 4 * (y * image.width + x)
        for (const part of [0, 1, 2]) image.data[to + part] = (sums[part] ?? 0) / (by * by)
        image.data[to + 3] = 255
      }
    }
    return image
  }
}
