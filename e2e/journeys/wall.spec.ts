import { expect, test } from '@playwright/test'
import { appUrl } from '../support/control.ts'
import { expectLegible, ROOMS, wordsOf } from '../support/legibility.ts'
import { faultsOf, openWall } from '../support/open-wall.ts'
import { expectOwnFontOnlyWhereNeeded } from '../support/own-font.ts'
import { difference, greyOf } from '../support/pixels.ts'
import { wallFrame } from '../support/wall-fleet.ts'
import { startWallServer, type WallServer } from '../support/wall-server.ts'

let server: WallServer
test.beforeAll(async () => {
  server = await startWallServer()
})
test.afterAll(() => server.close())

/** The other two, and 4K, are held by `npm run test:wall`. */
for (const room of ROOMS.slice(0, 2)) {
  test(`capitals have the angle they are to have: ${wordsOf(room)}`, async ({ browser }) => {
    await expectLegible(browser, server.url, room)
  })
}

test('nothing of an incident is too small or cut off', async ({ browser }) => {
  server.show(wallFrame({ clusters: 2, workloads: 46, scene: 'incident' }))
  const { page, wall } = await openWall(browser, `${server.url}/wall`)
  await expect(wall.locator('.cells canvas')).toBeVisible()
  expect(await faultsOf(wall)).toEqual([])
  await page.close()
})

test('without colour the states are still told apart', async ({ browser }) => {
  const frame = wallFrame({ clusters: 1, workloads: 8, scene: 'quiet' })
  const marks = ['ok', 'warn', 'warnVia', 'crit', 'critVia', 'critOpen', 'none', 'stale'] as const
  server.show({ ...frame, clusters: frame.clusters.map((cluster) => ({ ...cluster, marks: [...marks] })) })
  const { page, wall } = await openWall(browser, `${server.url}/wall`)
  const canvas = wall.locator('.cells canvas')
  await expect(canvas).toBeVisible()
  const place = await wall.locator('.band').evaluate((band) => ({
    left: Number.parseFloat(getComputedStyle(band.querySelector('.band-name') ?? band).width),
    unit: Number.parseFloat(getComputedStyle(band).getPropertyValue('--u')),
  }))
  const grey = await greyOf(page, await canvas.screenshot())
  const side = 0.95 * place.unit
  const squares = marks.map((_, index) => ({ x: place.left + index * side, y: 0, side: Math.floor(side) }))
  for (const [first, a] of squares.entries()) {
    for (const [offset, b] of squares.slice(first + 1).entries()) {
      const pair = `${marks[first]} and ${marks[first + 1 + offset]}`
      expect(difference(grey, a, b), pair).toBeGreaterThan(3)
    }
  }
  await page.close()
})

test('one broken part takes no other along, and mends with the next frame', async ({ browser }) => {
  const frame = wallFrame({ clusters: 2, workloads: 46, scene: 'incident' })
  server.show({ ...frame, rows: [{ id: 'east/shop/cart', name: 'shop/cart', mark: 'crit' }] })
  const { page, wall } = await openWall(browser, `${server.url}/wall`)
  await expect(wall.getByText('worst: tile error')).toBeVisible()
  // Inside the picture: as a whole it moves a little now and then.
  const place = () => wall.locator('.cells').evaluate((cells: HTMLElement) => cells.offsetTop)
  const broken = await place()
  await expect(wall.getByRole('heading', { name: 'stock/ledger' })).toBeVisible()
  await expect(wall.getByRole('img', { name: /east: 23 deployments, 2 in trouble/ })).toBeVisible()
  server.show(frame)
  await expect(wall.locator('.rail-row')).toHaveCount(6)
  await expect(wall.getByText('tile error')).toHaveCount(0)
  expect(await place()).toEqual(broken)
  await page.close()
})

test('on the real server, with its real policies, every deployment of the demo is there, and letters to write them', async ({
  browser,
}) => {
  const { page, wall } = await openWall(browser, `${appUrl()}/wall`)
  await expect(wall.getByRole('img', { name: /east: \d+ deployments.*west: \d+ deployments/ })).toBeVisible()
  await expect(wall.locator('.wall[data-link="live"]')).toBeVisible()
  await expectOwnFontOnlyWhereNeeded(wall.locator(':root'))
  await page.goto(appUrl())
  await expect(page.getByRole('table')).toBeVisible()
  await expectOwnFontOnlyWhereNeeded(page.locator(':root'))
  await page.close()
})
