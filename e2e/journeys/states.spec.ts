import { expect, test } from '@playwright/test'
import { openGalleryPages, openState } from '../support/gallery-page.ts'
import { buildGallery, serveGallery } from '../support/gallery-web.ts'
import { expectAccessible, watchConsole } from '../support/page-watch.ts'

/** States that no other journey passes through; all of them, with their pictures: `npm run test:looks`. */
const SELDOM = [
  ...['fleet-loading', 'fleet-forgotten', 'fleet-unreachable', 'workload-idle', 'triage-stale', 'explore-onefails'],
]

test('the worst moments of each screen say what they should, and are accessible', async ({ browser }) => {
  // One test: the gallery is built once.
  await buildGallery()
  const gallery = await serveGallery()
  const { page } = await openGalleryPages(browser)
  const complaints = watchConsole(page)
  for (const name of SELDOM) {
    await openState(page, gallery.url, name, 1366, 'light')
    await expectAccessible(page)
  }
  expect(complaints).toEqual([])
  await page.context().close()
  await gallery.stop()
})
