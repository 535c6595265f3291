import { join } from 'node:path'
import { type Browser, expect, type Page, type TestInfo } from '@playwright/test'
import { states } from '../../web/gallery/states.ts'
import { type Comparison, compareLooks, keepBaseline, looksTheSame } from './looks.ts'

export const SIZES = { 1366: 768, 1920: 1080, 390: 844 } as const
export type Width = keyof typeof SIZES
export type Theme = 'light' | 'dark'

/** How long a page may take until it looks as it should, on a busy machine. */
const PATIENCE_MS = 40_000

/** A state of the gallery, drawn. */
export async function openState(page: Page, url: string, name: string, width: Width, theme: Theme): Promise<void> {
  const state = states.find((candidate) => candidate.name === name)
  if (!state) throw new Error(`the gallery has no state ${name}`)
  await page.setViewportSize({ width: Number(width), height: SIZES[width] })
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.goto(`${url}/gallery.html?state=${name}&theme=${theme}`)
  await expect(page.locator('#root')).toContainText(state.says, { timeout: PATIENCE_MS })
  await page.evaluate(() => document.fonts.ready)
}

/** A page of the same letters on every machine, in UTC, and a blank one to compute in. */
export async function openGalleryPages(browser: Browser): Promise<{ page: Page; desk: Page }> {
  const context = await browser.newContext({ timezoneId: 'UTC', locale: 'en-GB', deviceScaleFactor: 1 })
  return { page: await context.newPage(), desk: await context.newPage() }
}

/** Holds the page against its baseline until they agree, or patience ends. With `--update-snapshots` it makes one. */
export async function expectLooks(page: Page, desk: Page, name: string, info: TestInfo): Promise<void> {
  const baseline = join(import.meta.dirname, `../looks/baseline/${name}.webp`)
  if (['all', 'changed'].includes(info.config.updateSnapshots)) {
    await page.waitForLoadState('networkidle')
    const now = await compareLooks(page, desk, baseline)
    // A picture that still fits stays as it is: no change in the repository without a change on the screen.
    if (!now.isKept || !looksTheSame(now)) keepBaseline(baseline, now.small)
    return
  }
  let seen: Comparison | undefined
  const agree = async () => {
    seen = await compareLooks(page, desk, baseline)
    return seen.isKept ? (looksTheSame(seen) ? 'as before' : seen.where) : `there is no baseline ${name}.webp`
  }
  try {
    await expect.poll(agree, { timeout: PATIENCE_MS, intervals: [50, 200, 500, 1_000] }).toBe('as before')
  } catch (error) {
    await info.attach(`${name} now`, { body: seen?.small ?? Buffer.alloc(0), contentType: 'image/webp' })
    await info.attach(`${name} on the screen`, { body: await page.screenshot(), contentType: 'image/png' })
    throw error
  }
}
