import type { Page } from '@playwright/test'

/** Grey values, 0 to 255, of a PNG: decoded by the browser, which can. */
export interface Grey {
  readonly width: number
  readonly height: number
  readonly values: readonly number[]
}

export async function greyOf(page: Page, png: Buffer): Promise<Grey> {
  return page.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      const context = canvas.getContext('2d')
      if (context === null) throw new Error('no canvas')
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(0, 0, image.width, image.height)
      const values: number[] = []
      // One by one: a slice for each pixel takes seconds at 4K.
      for (let at = 0; at < data.length; at += 4)
        values.push(Math.round(0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0)))
      return { width: image.width, height: image.height, values }
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
}

/** Rows from the first to the last that hold a pixel at least half as bright as the brightest. */
export function inkRows({ width, height, values }: Grey): number {
  const half =
    Math.max(
      ...values.slice(0, 1),
      values.reduce((most, value) => Math.max(most, value), 0),
    ) / 2
  const rows = Array.from({ length: height }, (_, row) => row).filter((row) =>
    values.slice(row * width, (row + 1) * width).some((value) => value >= half),
  )
  return rows.length === 0 ? 0 : (rows.at(-1) ?? 0) - (rows[0] ?? 0) + 1
}

/** Mean difference of two squares of the same picture, 0 to 255. */
export function difference(grey: Grey, a: Square, b: Square): number {
  const side = Math.min(a.side, b.side)
  let sum = 0
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) sum += Math.abs(at(grey, a.x + x, a.y + y) - at(grey, b.x + x, b.y + y))
  }
  return sum / side ** 2
}

export interface Square {
  readonly x: number
  readonly y: number
  readonly side: number
}

function at({ width, values }: Grey, x: number, y: number): number {
  return values[Math.round(y) * width + Math.round(x)] ?? 0
}
