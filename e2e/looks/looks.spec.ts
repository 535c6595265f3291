import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { states } from '../../web/gallery/states.ts'
import { expectLooks, openGalleryPages, openState, SIZES, type Theme, type Width } from '../support/gallery-page.ts'
import { serveGallery } from '../support/gallery-web.ts'
import { compareLooks, looksTheSame } from '../support/looks.ts'
import { expectAccessible, watchConsole } from '../support/page-watch.ts'

let gallery: Awaited<ReturnType<typeof serveGallery>>
let page: Page
let desk: Page
test.beforeAll(async ({ browser }) => {
  gallery = await serveGallery()
  const pages = await openGalleryPages(browser)
  page = pages.page
  desk = pages.desk
})
test.afterAll(async () => {
  await page.context().close()
  await gallery.stop()
})

/** Seen most: in every size and both themes. */
const MAIN = [
  ...['fleet-incident', 'fleet-grid', 'workload-incident', 'map-incident', 'triage-incident'],
  ...['compare-clusters', 'explore-lines', 'clusters-incident'],
]
const REST: readonly (readonly [Width, Theme])[] = [
  [1366, 'dark'],
  [1920, 'light'],
  [1920, 'dark'],
  [390, 'light'],
  [390, 'dark'],
]

for (const { name, what } of states) {
  test(`${name}: ${what}`, async ({ browserName: _ }, info) => {
    const complaints = watchConsole(page)
    await openState(page, gallery.url, name, 1366, 'light')
    await expectLooks(page, desk, `${name}-1366-light`, info)
    await expectAccessible(page)
    expect(complaints).toEqual([])
    page.removeAllListeners()
  })
}

for (const name of MAIN) {
  for (const [width, theme] of REST) {
    test(`${name}, ${width} x ${SIZES[width]}, ${theme}`, async ({ browserName: _ }, info) => {
      await openState(page, gallery.url, name, width, theme)
      await expectLooks(page, desk, `${name}-${width}-${theme}`, info)
      if (width !== 1920) await expectAccessible(page)
    })
  }
}

/** What somebody might break without a test that says so. */
const FAULTS: Readonly<Record<string, string>> = {
  'a column is gone': 'tr > :nth-child(8) { display: none !important }',
  'rows are taller': ':root { --row: 40px !important }',
  'trouble has the colour of calm': ':root:root { --crit: #0b5cad !important }',
  'the sentence is gone': '.verdict { visibility: hidden }',
  'everything is moved down a little': 'main { margin-top: 6px !important }',
  'small trends are gone': '.sparkline, svg[class*=spark] { visibility: hidden }',
}
for (const [fault, css] of Object.entries(FAULTS)) {
  test(`these pictures tell when ${fault}`, async () => {
    await openState(page, gallery.url, 'fleet-incident', 1366, 'light')
    const baseline = join(import.meta.dirname, 'baseline/fleet-incident-1366-light.webp')
    await expect.poll(async () => looksTheSame(await compareLooks(page, desk, baseline))).toBe(true)
    await page.addStyleTag({ content: css })
    const { isKept, squaresAway } = await compareLooks(page, desk, baseline)
    expect(isKept).toBe(true)
    expect(squaresAway).toBeGreaterThan(30)
  })
}
