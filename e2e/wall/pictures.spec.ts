import { expect, test } from '@playwright/test'
import { expectLegible, ROOMS, wordsOf } from '../support/legibility.ts'
import { faultsOf, openWall } from '../support/open-wall.ts'
import { wallFrame } from '../support/wall-fleet.ts'
import { startWallServer, type WallServer } from '../support/wall-server.ts'

let server: WallServer
test.beforeAll(async () => {
  server = await startWallServer()
})
test.afterAll(() => server.close())

const NOTE = { by: 'ann', text: 'rolling back the ledger to the build of yesterday', until: '2026-11-21T04:00:00.000Z' }
const FAR = '?inch=55&dist=6'

const PICTURES = [
  { size: '1080p', clusters: 2, workloads: 46, scene: 'incident' },
  { size: '4K', clusters: 10, workloads: 1_000, scene: 'incident' },
  { size: 'portrait', clusters: 2, workloads: 46, scene: 'incident' },
  { size: 'portrait', clusters: 10, workloads: 300, scene: 'incident', alsoBad: 40 },
  { size: '1080p', clusters: 50, workloads: 5_000, scene: 'incident' },
  { size: '1080p', clusters: 2, workloads: 212, scene: 'incident', alsoBad: 12, room: FAR },
  { size: 'portrait', clusters: 2, workloads: 212, scene: 'incident', alsoBad: 12, room: FAR },
  { size: '1080p', clusters: 10, workloads: 300, scene: 'partial', room: FAR },
  { size: '1080p', clusters: 1, workloads: 3, scene: 'quiet' },
  { size: 'portrait', clusters: 10, workloads: 300, scene: 'partial' },
  { size: 'portrait', clusters: 10, workloads: 300, scene: 'partial', room: FAR },
  { size: 'portrait', clusters: 10, workloads: 300, scene: 'blind', room: FAR },
  { size: '4K', clusters: 50, workloads: 5_000, scene: 'blind' },
  { size: '1080p', clusters: 2, workloads: 46, scene: 'incident', note: NOTE },
  { size: '1080p', clusters: 2, workloads: 46, scene: 'quiet', note: NOTE },
  { size: '1080p', clusters: 2, workloads: 212, scene: 'incident', alsoBad: 12, room: FAR, note: NOTE },
  { size: 'portrait', clusters: 2, workloads: 212, scene: 'incident', alsoBad: 12, room: FAR, note: NOTE },
  { size: 'portrait', clusters: 2, workloads: 46, scene: 'quiet', room: FAR, note: NOTE },
] as const

for (const picture of PICTURES) {
  const { size, clusters, workloads, scene } = picture
  const room = 'room' in picture ? picture.room : ''
  const said = 'note' in picture ? ', with a note' : ''
  test(`nothing is too small or cut off: ${clusters} clusters, ${workloads} deployments, ${scene}, ${size}${room}${said}`, async ({
    browser,
  }) => {
    server.show(wallFrame(picture))
    const { page, wall } = await openWall(browser, `${server.url}/wall${room}`, size)
    await expect(wall.locator('.cells canvas')).toBeVisible()
    const faults = await faultsOf(wall)
    expect(faults).toEqual([])
    if (said !== '') await expect(wall.getByText(/^ann is on it/)).toBeVisible()
    await page.close()
  })
}

test('a calm fleet keeps its places when trouble comes; who does not fit is counted', async ({ browser }) => {
  const shape = { clusters: 10, workloads: 1_000 } as const
  server.show(wallFrame({ ...shape, scene: 'quiet' }))
  const { page, wall } = await openWall(browser, `${server.url}/wall`)
  await expect(wall.getByRole('heading', { name: 'All quiet' })).toBeVisible()
  const places = () => wall.locator('.band').evaluateAll((bands) => bands.map((band) => band.getAttribute('style')))
  const before = await places()
  server.show(wallFrame({ ...shape, scene: 'incident', alsoBad: 40 }))
  await expect(wall.getByText('and 40 victims of stock/ledger, 1 other')).toBeVisible()
  expect(await places()).toEqual(before)
  await page.close()
})

test('somebody presses a key: pages stand for a minute, and the wall says how long still', async ({ browser }) => {
  server.show(wallFrame({ clusters: 50, workloads: 5_000, scene: 'quiet' }))
  const { page, wall } = await openWall(browser, `${server.url}/wall?rotate=5`)
  await expect(wall.getByText('page 2/2')).toBeVisible()
  await page.keyboard.press('a')
  await expect(wall.getByText(/held (60|59|58) s/)).toBeVisible()
  await page.close()
})

test('a mistake in the address is said in words, and the rest holds', async ({ browser }) => {
  server.show(wallFrame({ clusters: 2, workloads: 46, scene: 'incident' }))
  const { page, wall } = await openWall(browser, `${server.url}/wall?inch=large&pages=est`)
  await expect(wall.getByText('inch=large: use 5 to 500; pages: there is no cluster est')).toBeVisible()
  await expect(wall.locator('.band')).toHaveCount(2)
  expect(await faultsOf(wall)).toEqual([])
  await page.close()
})

test('who wants no motion gets none', async ({ browser }) => {
  server.show(wallFrame({ clusters: 2, workloads: 46, scene: 'incident' }))
  const { page, wall } = await openWall(browser, `${server.url}/wall`)
  const motion = () =>
    wall
      .locator('.rail-row')
      .first()
      .evaluate((row) => {
        const { animationName, transitionDuration } = getComputedStyle(row)
        return [animationName, transitionDuration]
      })
  expect(await motion()).toEqual(['arrive', '0.4s'])
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await motion()).toEqual(['none', '0s'])
  await page.close()
})

for (const room of ROOMS) {
  test(`capitals have the angle they are to have: ${wordsOf(room)}`, async ({ browser }) => {
    await expectLegible(browser, server.url, room)
  })
}
