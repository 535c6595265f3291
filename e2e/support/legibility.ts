import { type Browser, expect } from '@playwright/test'
import { openWall, SIZES, type Size } from './open-wall.ts'
import { greyOf, inkRows } from './pixels.ts'

interface Room {
  readonly inch: number
  readonly dist: number
  readonly size: Size
}

/** Screens and distances at which letters are measured. */
export const ROOMS: readonly Room[] = [
  { inch: 55, dist: 4, size: '1080p' },
  { inch: 65, dist: 3, size: 'portrait' },
  { inch: 75, dist: 4, size: '1080p' },
  { inch: 55, dist: 6, size: '4K' },
]

export function wordsOf({ inch, dist, size }: Room): string {
  return `${inch} inches from ${dist} m, ${size}`
}

/** The formula of NUREG-0700 and ISO 9241-3, once more: cap height in pixels of an angle at a distance. */
function capPixels(inch: number, metres: number, arcmin: number, size: Size): number {
  const [width, height] = SIZES[size]
  const heightMm = 0.4903 * inch * 25.4
  const pixelsPerMm = Math.min(width, height) / heightMm
  return 2 * metres * 1_000 * Math.tan((arcmin / 60 / 2) * (Math.PI / 180)) * pixelsPerMm
}

/** Measures rendered capitals on the eye chart against the formula: within two pixels. */
export async function expectLegible(browser: Browser, url: string, { inch, dist, size }: Room): Promise<void> {
  const { page, wall } = await openWall(browser, `${url}/wall?calibrate=1&inch=${inch}&dist=${dist}`, size)
  for (const arcmin of [16, 20]) {
    const grey = await greyOf(page, await wall.locator(`[data-arcmin="${arcmin}"]`).screenshot())
    expect(Math.abs(inkRows(grey) - capPixels(inch, dist, arcmin, size)), `${arcmin}'`).toBeLessThan(2)
  }
  await page.close()
}
