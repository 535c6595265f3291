import { type Browser, expect, type FrameLocator, type Page } from '@playwright/test'

export const SIZES = { '1080p': [1_920, 1_080], '4K': [3_840, 2_160], portrait: [1_080, 1_920] } as const
export type Size = keyof typeof SIZES

/** A wall on a screen of its own, once its picture stands. */
export async function openWall(
  browser: Browser,
  address: string,
  size: Size = '1080p',
): Promise<{ page: Page; wall: FrameLocator }> {
  const [width, height] = SIZES[size]
  const page = await browser.newPage({ viewport: { width, height } })
  await page.goto(address)
  const wall = page.frameLocator('iframe').last()
  await expect(wall.locator('.wall, .calibrate')).toBeVisible()
  await expect(page.locator('.cover')).toBeHidden()
  // On a machine without the usual fonts one is fetched, and other letters stand there until then.
  await wall.locator(':root').evaluate(async () => void (await document.fonts.ready))
  return { page, wall }
}

/** Texts that are smaller than four fifths of the unit, outside the picture, or cut off, and parts that broke. */
export function faultsOf(wall: FrameLocator): Promise<string[]> {
  return wall.locator('.wall').evaluate((root) => {
    const unit = Number.parseFloat(getComputedStyle(root).getPropertyValue('--u'))
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement
      if (!node.textContent?.trim() || !element || element.closest('.sr-only, title')) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      const size = Number.parseFloat(getComputedStyle(element).fontSize)
      if (size < 0.8 * unit - 0.5) found.push(`${node.textContent}: ${size} px, less than ${0.8 * unit}`)
      if (box.left < 0 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
        found.push(`${node.textContent}: outside`)
      for (let part: Element = element; part !== root; part = part.parentElement ?? root) {
        if (getComputedStyle(part).overflow === 'visible') continue
        const frame = part.getBoundingClientRect()
        // Letters' boxes are a little higher than what is drawn of them.
        const over = Math.max(
          frame.left - box.left,
          box.right - frame.right,
          frame.top - box.top,
          box.bottom - frame.bottom,
        )
        if (over > 0.15 * size) found.push(`${node.textContent}: cut off by ${part.className}`)
      }
    }
    const cells = root.querySelector('.cells canvas')?.getBoundingClientRect()
    if (!cells || cells.bottom > innerHeight || cells.height < unit) found.push('the cells have no room')
    for (const bar of root.querySelectorAll('.wall-header, .wall-footer, .hero, .rail-row'))
      if (bar.scrollWidth > bar.clientWidth + 1) found.push(`${bar.className} is cut off: ${bar.textContent}`)
    for (const tile of root.querySelectorAll('.tile-error')) found.push(String(tile.textContent))
    return found
  })
}
