/** Takes the pictures of the pages in README.md anew, from the running demo, light and dark: `npm run screenshots`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as rest } from 'node:timers/promises'
import { ROOT } from '../scripts/paths.mjs'
import { webpOf, withBrowser } from './support/with-browser.mjs'

const AFFECTED = 'east/clinic/scheduler'
const CULPRIT = 'west/campus/directory'
/** So much of calm and of trouble stands in the charts. */
const CALM_MS = 120_000
const TROUBLE_MS = 100_000
const MOST_WAIT_MS = 240_000

const PAGES = [
  { name: 'fleet', path: '/fleet', size: [1366, 640] },
  { name: 'workload', path: `/d/${AFFECTED}`, size: [1366, 860] },
  { name: 'map', path: '/map', size: [1366, 640] },
  { name: 'triage', path: '/triage', size: [1366, 860] },
]

await withBrowser(
  async (load) => {
    const { startDemo } = await load('/support/start-demo.ts')
    const control = await load('/support/control.ts')
    const demo = await startDemo()
    process.env.GOLDSEAM_E2E_APP = demo.appUrl
    process.env.GOLDSEAM_E2E_CONTROL = demo.controlUrl
    return { ...control, url: demo.appUrl, stop: demo.stop }
  },
  async (browser, { api, turnTo, url }) => {
    await tellStory(api, turnTo)
    mkdirSync(join(ROOT, 'docs'), { recursive: true })
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ colorScheme, timezoneId: 'UTC', reducedMotion: 'reduce' })
      for (const picture of PAGES) {
        const page = await context.newPage()
        await take(page, url, picture)
        writeFileSync(join(ROOT, `docs/${picture.name}-${colorScheme}.webp`), await webpOf(page, 80))
        await page.close()
      }
      await context.close()
    }
  },
)

/** From calm to one culprit, named for sure. */
async function tellStory(api, turnTo) {
  await until('all is quiet', async () => (await api('/api/v1/fleet')).verdict.form === 'quiet')
  await rest(CALM_MS)
  await turnTo('ramp')
  const isNamed = ({ verdict }) => verdict.suspect === CULPRIT && verdict.subject === AFFECTED
  await until('the culprit is named', async () => isNamed(await api('/api/v1/fleet')))
  await rest(TROUBLE_MS)
  // Where other work keeps the processors, every service is slow by itself, and the picture would not be of the story.
  await until('one culprit, for sure', async () => {
    const fleet = await api('/api/v1/fleet')
    return isNamed(fleet) && fleet.verdict.word === 'strong' && fleet.suspects.length === 1
  })
}

async function take(page, url, { name, path, size }) {
  await page.setViewportSize({ width: size[0], height: size[1] })
  await page.goto(`${url}${path}`)
  await page.getByRole('region', { name: 'Verdict', exact: true }).getByText('is slow because of').waitFor()
  await page.locator('main tbody tr, main .map-card, main .suspect').first().waitFor()
  if (name === 'workload') await page.locator('.time-plot').nth(3).waitFor()
  await page.mouse.move(0, 0)
}

async function until(what, holds) {
  const end = Date.now() + MOST_WAIT_MS
  while (!(await holds())) {
    if (Date.now() > end)
      throw new Error(`No pictures were taken: ${what} did not come true within ${MOST_WAIT_MS / 1000} s`)
    await rest(2_000)
  }
}
