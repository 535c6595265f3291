import { expect, type Page, test } from '@playwright/test'
import { overFixtures } from '../support/over-fixtures.ts'

const web = overFixtures('large')
/** So many workloads does that scene have. */
const WORKLOADS = 2_000

/** Between two cards there is a gap. */
const GAP_PX = 8

/** The place in the fleet of the card in the middle of the window, or just above it; null where there is none. */
const middle = (page: Page) =>
  page.locator('tr[data-row]').evaluateAll((rows, gap) => {
    const half = innerHeight / 2
    const found = rows.findLast((row) => row.getBoundingClientRect().top <= half)
    return found && found.getBoundingClientRect().bottom + gap > half ? Number(found.ariaRowIndex) : null
  }, GAP_PX)

test('on a phone thousands of cards are scrolled from the first to the last, and none is passed over', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${web.origin}/fleet?sort=name`)
  // The first thousand come first: by name the others belong between them, also above what is in the window.
  await expect(page.locator('table.fleet')).toHaveAttribute('aria-rowcount', String(WORKLOADS + 1))
  // A font that comes along late makes cards lower.
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  const least = await page
    .locator('tr[data-row]')
    .evaluateAll((rows) => Math.min(...rows.map((row) => row.getBoundingClientRect().height)))
  let before = 0
  for (let step = 0; step < 8; step += 1) {
    await page.evaluate(() => window.scrollBy(0, innerHeight))
    let now = 0
    await expect(async () => {
      const seen = await middle(page)
      expect(seen).not.toBeNull()
      now = seen ?? 0
    }).toPass()
    expect(now - before).toBeLessThanOrEqual(844 / least + 2)
    expect(now).toBeGreaterThan(before)
    before = now
  }
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect
    .poll(() =>
      page
        .locator('tr[data-row]')
        .last()
        .evaluate((row) => Number(row.ariaRowIndex)),
    )
    .toBeGreaterThanOrEqual(WORKLOADS)
})
