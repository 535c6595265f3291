import { readFile } from 'node:fs/promises'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { overFixtures } from '../support/over-fixtures.ts'
import { expectAccessible, watchConsole } from '../support/page-watch.ts'

const web = overFixtures('incident')

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const verdictOn = (page: Page) => page.getByRole('region', { name: 'Verdict', exact: true })
const toast = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text })
const rowsOn = (page: Page) =>
  page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.textContent?.replace(/\d+ (s|m) ago/g, '')))
const stateOf = (address: string) => {
  const { pathname, searchParams } = new URL(address)
  for (const key of ['asof', 'k']) searchParams.delete(key)
  return { pathname, search: Object.fromEntries(searchParams) }
}

async function allowClipboard(context: BrowserContext): Promise<void> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
}

const FROZEN = 'from=2026-11-21T03:01:10Z&to=2026-11-21T03:31:10Z'
const SHARED = `${FROZEN}&c=east,west&cmp=1d&tz=utc&theme=dark`
/** Every screen, each control of it away from its default. */
const SCREENS = [
  `/fleet?${SHARED}&q=st&st=crit,via&sort=-p99&group=ns&cols=sr,rps,p99`,
  `/fleet?${SHARED}&ns=shop,stock&view=grid&panel=suspects`,
  `/map?${SHARED}&sel=east/shop/storefront~west/stock/catalog&show=all&group=ns&dir=tb&view=table&at=2026-11-21T03:12Z`,
  `/triage?${SHARED}&not=west/stock/ledger`,
  `/d/east/shop/storefront?${SHARED}&open=east/shop/storefront~west/stock/catalog&deps=map&tab=pods&expand=trouble&unit=ms&sel=west/stock/ledger`,
  `/compare?${SHARED}&a=east/shop/storefront&b=west/stock/ledger&align=onset&sort=rps&goals=p99:500ms,sr:99.9&lat=p95,mean`,
  `/explore?${SHARED}&e1=up&e2=sum%28up%29&on=east&view=heat&step=15s`,
  `/clusters?${SHARED}&sel=west`,
  `/clusters/west?${SHARED}`,
  `/failover?${SHARED}&gone=west&split=east:70&days=30`,
]
/**
 * At how many places each link is cut off, besides; without it some are at one. What reads links is held against twenty
 * cuts of each in the unit tests.
 */
const CUTS = Number(process.env.GOLDSEAM_LINK_CUTS ?? 0)
const SOME = 3

test('what is copied opens in a fresh browser as it was; cut off, it says so', async ({ page, context, browser }) => {
  test.setTimeout(240_000 + SCREENS.length * CUTS * 10_000)
  await allowClipboard(context)
  const fresh = await browser.newContext()
  const other = await fresh.newPage()
  for (const [index, address] of SCREENS.entries()) {
    await page.goto(web.origin + address)
    await expect(verdictOn(page)).toContainText('is slow because of')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('Y')
    await expect(toast(page, /Copied a frozen link/)).toBeVisible()
    const link = await clipboard(page)
    const complaints = watchConsole(other)
    await other.goto(link)
    await expect(verdictOn(other)).toContainText('is slow because of')
    expect(stateOf(other.url())).toEqual(stateOf(web.origin + address))
    // A page comes in parts, the sentence first.
    await expect(async () => expect(await rowsOn(other)).toEqual(await rowsOn(page))).toPass()
    await expect(other.getByText(/This link is not whole|does not fit here|does not know/)).toHaveCount(0)
    expect(complaints, address).toEqual([])
    other.removeAllListeners()
    const shortest = link.indexOf('?') + 2
    const some = index % SOME === 0 ? [index / SCREENS.length] : []
    for (const at of CUTS === 0 ? some : Array.from({ length: CUTS }, (_, cut) => cut / CUTS)) {
      await other.goto(link.slice(0, shortest + Math.floor(at * (link.length - shortest))))
      await expect(other.getByText('This link is not whole')).toBeVisible()
    }
  }
  await fresh.close()
})

test('by keyboard alone: from the first page to the culprit, and a frozen link in the clipboard', async ({
  page,
  context,
}) => {
  await allowClipboard(context)
  await page.goto(`${web.origin}/`)
  await expect(verdictOn(page)).toContainText('is slow because of')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await page.keyboard.press('Control+K')
  await expect(page.getByRole('listbox', { name: 'Matches' }).getByRole('option').first()).toContainText(
    'Prime suspect: stock/ledger (west)',
  )
  await expectAccessible(page)
  // Even before the page has its answer the link is of the moment that was on screen.
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/v1/workloads/**', (route) => held.then(() => route.fallback()))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/d\/west\/stock\/ledger/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('ledger')
  await page.keyboard.press('Y')
  await expect(toast(page, /Copied a frozen link/)).toBeVisible()
  expect(await clipboard(page)).toMatch(
    /\/d\/west\/stock\/ledger\?k=\w{4}&from=2026-11-21T[\d:]+Z&to=2026-11-21T03:31:10Z$/,
  )
  answer()
  // The second key is to follow soon. Where it came late it opened the time menu, which would take the next ones as text.
  await expect(async () => {
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await expect(page).toHaveURL(/\/triage/, { timeout: 5_000 })
  }).toPass()
  await page.keyboard.press('u')
  await page.keyboard.press('t')
  await page.keyboard.type('yesterday 14:00 to 15:00')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Frozen view' })).toContainText('14:00-15:00')
  await page.goBack()
  await expect(page.getByRole('region', { name: 'Frozen view' })).toHaveCount(0)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys and signs' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('C')
  await expect(toast(page, /Copied the finding/)).toBeVisible()
  expect(await clipboard(page)).toMatch(
    /^Goldseam {2}03:31 UTC[\s\S]*Suspect {3}west\/stock\/ledger[\s\S]*Link {6}http/,
  )
})

test('an old live link offers the moment it was copied; saved evidence says what it is', async ({ page }) => {
  await page.goto(`${web.origin}/triage?from=now-30m&asof=20261121T0331Z`)
  const bar = page.getByRole('region', { name: 'When this link was copied' })
  await expect(bar).toContainText('looking at')
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Show that moment' }).click()
  await expect(page).toHaveURL(/from=2026-11-21T03:01Z&to=2026-11-21T03:31Z/)
  await page.goto(`${web.origin}/s/3f7k2m`)
  await expect(page.getByRole('region', { name: 'Saved evidence' })).toContainText('The clusters are not asked')
  await expect(page).toHaveURL(/\/d\/east\/shop\/storefront\?.*saved=3F7K2M/)
  await page.goto(`${web.origin}/s/GONE22`)
  await expect(page.getByRole('heading', { name: 'The link GONE22 has expired' })).toBeVisible()
  await expectAccessible(page)
})

test('any table and any picture can be taken along', async ({ page }) => {
  await page.goto(`${web.origin}/fleet?q=ledger`)
  const csv = await download(page, 'Fleet: download as CSV')
  expect(csv.split('\r\n')[1]).toMatch(/^west\/stock\/ledger,west,stock,deployment,ledger,crit,value,0\.9\d+,41/)
  expect(JSON.parse(await download(page, 'Fleet: download as JSON'))).toHaveLength(1)
  await page.goto(`${web.origin}/map`)
  const map = await download(page, 'Calls between workloads: download as SVG')
  expect(map).toMatch(/^<svg [\s\S]*ledger[\s\S]*<path [\s\S]*<\/svg>$/)
  expect(map).not.toContain('var(--')
  // Whatever font it is shown in: no word runs into the next, and halos lie behind their letters.
  expect(map).toMatch(/<text [^>]*textLength="\d[^>]*>east</)
  expect(map).toMatch(/paint-order="stroke\b/)
  const png = await download(page, 'Calls between workloads: download as PNG')
  expect(png.slice(1, 4)).toBe('PNG')
  await page.goto(`${web.origin}/d/east/shop/storefront`)
  await expect(page.locator('.time-plot').first()).toBeVisible()
  expect(await download(page, 'RPS of east/shop/storefront: download as SVG')).toContain('<path')
})

test('dragging over a chart looks closer at that time', async ({ page }) => {
  await page.goto(`${web.origin}/d/east/shop/storefront`)
  const chart = page.locator('.brush').first()
  await expect(chart.locator('.time-plot')).toBeVisible()
  const box = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(box.x + box.width * 0.4, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.7, box.y + 40, { steps: 4 })
  await page.mouse.up()
  await expect(page.getByRole('region', { name: 'Frozen view' })).toBeVisible()
  await expect(page).toHaveURL(/from=2026-11-21T03:\d\d(:\d\d)?Z&to=2026-11-21T03:\d\d(:\d\d)?Z/)
})

test('no screen has a grave accessibility violation', async ({ page }) => {
  for (const address of ['/fleet?future=1&sort=p42&c=wst', '/map', '/d/east/shop/storefront', '/clusters']) {
    await page.goto(web.origin + address)
    await expect(verdictOn(page)).toContainText('is slow because of')
    await expectAccessible(page)
  }
})

test('320 pixels wide nothing runs out of the page', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 })
  for (const address of ['/fleet', '/triage', '/map', '/d/east/shop/storefront', '/clusters', '/s/NOSUCH']) {
    await page.goto(web.origin + address)
    await expect(page.getByRole('main')).not.toBeEmpty()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), address).toBeLessThanOrEqual(320)
  }
})

async function download(page: Page, name: string): Promise<string> {
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name, exact: true }).click()
  return readFile(await (await waiting).path(), name.endsWith('PNG') ? 'latin1' : 'utf8')
}
