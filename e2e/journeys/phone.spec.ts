import { expect, type Page, test } from '@playwright/test'
import { overFixtures } from '../support/over-fixtures.ts'

const web = overFixtures('large')

/** The place in the fleet of the card in the middle of the window; null where there is none. */
const middle = (page: Page) =>
  page.evaluate(() => {
    const found = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('tr')
    return found?.ariaRowIndex ? Number(found.ariaRowIndex) : null
  })

test('on a phone thousands of cards are scrolled from the first to the last, and none is passed over', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${web.origin}/fleet?sort=name`)
  await expect(page.locator('tr[data-row]').first()).toBeVisible()
  // A font that comes along late makes cards lower.
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  const least = await page
    .locator('tr[data-row]')
    .evaluateAll((rows) => Math.min(...rows.map((row) => row.getBoundingClientRect().height)))
  let before = 0
  for (let step = 0; step < 8; step += 1) {
    await page.evaluate(() => window.scrollBy(0, innerHeight))
    await expect.poll(() => middle(page)).not.toBeNull()
    const now = (await middle(page)) ?? 0
    expect(now - before).toBeLessThanOrEqual(844 / least + 2)
    expect(now).toBeGreaterThan(before)
    before = now
  }
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  const count = Number(await page.locator('table.fleet').getAttribute('aria-rowcount'))
  await expect
    .poll(() =>
      page
        .locator('tr[data-row]')
        .last()
        .evaluate((row) => Number(row.ariaRowIndex)),
    )
    .toBeGreaterThanOrEqual(count - 1)
})
