import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, expect, type FrameLocator, type Page, test } from '@playwright/test'
import { freePort } from '../../scripts/free-ports.mjs'
import base from '../playwright.config.ts'
import { untilCalm } from '../support/calm.ts'
import { demoState, prometheus, turnTo } from '../support/control.ts'
import { Deployed } from '../support/deployed.ts'
import { openWall } from '../support/open-wall.ts'
import { type RunningDemo, startDemo } from '../support/start-demo.ts'
import { watchWall } from '../support/wall-watch.ts'
import { Wire } from '../support/wire.ts'

/** One demo for all; the Goldseam that the wall looks at is another one, which these journeys may kill. */
let demo: RunningDemo
let deployed: Deployed
let clusters = ''

const INGRESS =
  'ingresses: [{ cluster: west, workload: ingress-nginx/controller, addresses: ["203.0.113.20"], hosts: ["*.west.example.com"] }]\n'

test.beforeAll(async () => {
  demo = await startDemo(['--manual', '--no-server'])
  process.env.GOLDSEAM_E2E_CONTROL = demo.controlUrl
  const { urls } = await demoState()
  const listed = Object.entries(urls.prometheus).map(
    ([name, url]) => `  - { name: ${name}, endpoints: [{ url: ${url} }] }\n`,
  )
  clusters = `refresh: 2s\nmaxLoad: 4\nlimits: { lastGoodFor: 90s }\nclusters:\n${listed.join('')}${INGRESS}`
  deployed = new Deployed(await freePort(), clusters)
  await deployed.start()
})
test.afterAll(async () => {
  await deployed?.remove()
  await demo?.stop()
})

const pictureOf = (page: Page) => page.frameLocator('.wall-shell iframe').last()
const scriptOf = (page: Page) =>
  page
    .frames()
    .map((frame) => frame.url())
    .filter((url) => url.includes('/wall/app')).length

/** Where each cluster's cells stand. */
const placesOf = (wall: FrameLocator) =>
  wall.locator('.band').evaluateAll((bands) => bands.map((band) => band.getAttribute('style')))

/** New data, on the screen. What it says depends on how busy this machine is: calm is waited for where it matters. */
async function expectLive(wall: FrameLocator): Promise<void> {
  const live = wall.locator('.wall[data-link="live"][data-freshness="fresh"]')
  await expect(live.locator('.cells canvas')).toBeVisible({ timeout: 60_000 })
  await expect(live.locator('.hero[data-tone="pair"]')).toHaveCount(0)
}

test('the server is killed and comes back ten times', async ({ browser }) => {
  const { page, wall } = await openWall(browser, `${deployed.url}/wall`)
  const watch = watchWall(page)
  await expectLive(wall)
  for (let round = 1; round <= 10; round += 1) {
    await deployed.kill()
    await expect(wall.locator('.wall[data-link="lost"]')).toBeVisible({ timeout: 30_000 })
    await expect(wall.locator('.cells canvas')).toBeVisible()
    await deployed.start()
    await expectLive(wall)
  }
  await expectLive(wall)
  watch.end()
  expect(watch.faults).toEqual([])
  expect(scriptOf(page)).toBe(1)
  await page.close()
})

test('a server that stays away: the picture ages, says so, and never looks live', async ({ browser }) => {
  const { page, wall } = await openWall(browser, `${deployed.url}/wall`)
  const watch = watchWall(page)
  await expectLive(wall)
  await deployed.kill()
  const clock = await wall.locator('.wall-clock').innerText()
  await expect(wall.locator('.wall[data-freshness="old"]')).toBeVisible({ timeout: 90_000 })
  await expect(wall.getByRole('heading', { name: /^NO DATA for 2 m/ })).toBeVisible({ timeout: 90_000 })
  // The hand stands still, the age counts.
  expect(await wall.locator('.wall-clock').innerText()).toBe(clock)
  await deployed.start()
  await expectLive(wall)
  watch.end()
  expect(watch.faults).toEqual([])
  await page.close()
})

test('the network: silent as with a pulled cable, then gone, then without names; each time it mends by itself', async ({
  browser,
}) => {
  const wire = new Wire(Number(new URL(deployed.url).port))
  await wire.mend()
  const { page, wall } = await openWall(browser, `${wire.url}/wall`)
  const watch = watchWall(page)
  await expectLive(wall)
  wire.silence()
  await expect(wall.locator('.wall[data-link="lost"][data-freshness="old"]')).toBeVisible({ timeout: 120_000 })
  await expect(wall.locator('.cells canvas')).toBeVisible()
  await wire.mend()
  await expectLive(wall)
  await wire.cut()
  await expect(wall.locator('.wall[data-link="lost"][data-freshness="late"]')).toBeVisible({ timeout: 30_000 })
  await page.route('**/*', (route) => route.abort('namenotresolved'))
  const asked = page.waitForEvent(
    'requestfailed',
    (request) => request.failure()?.errorText.includes('NAME_NOT') === true,
  )
  await wire.mend()
  await asked
  await expect(wall.locator('.wall[data-link="lost"]')).toBeVisible()
  await page.unroute('**/*')
  await expectLive(wall)
  watch.end()
  expect(watch.faults).toEqual([])
  await page.close()
  await wire.cut()
})

test('three deployments with other file names, none of them touched by a hand: each shows within two minutes', async ({
  browser,
}) => {
  const { page, wall } = await openWall(browser, `${deployed.url}/wall`)
  const watch = watchWall(page)
  const tab = await browser.newPage()
  await tab.goto(`${deployed.url}/fleet`)
  for (const mark of ['first111', 'second22', 'third333']) {
    const startedMs = performance.now()
    await deployed.kill()
    deployed.deploy(mark)
    await deployed.start()
    const build = createHash('sha256')
    for (const file of ['index.html', 'wall.html', 'wall-app.html'])
      build.update(readFileSync(`${deployed.folder}/web/dist/${file}`))
    const words = `build ${build.digest('hex').slice(0, 4)}`
    await expect(async () => {
      const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
      expect(names.join(' ')).toContain(`wall-app-${mark}`)
      await expect(pictureOf(page).getByText(words)).toBeVisible({ timeout: 1_000 })
    }).toPass({ timeout: 120_000 - (performance.now() - startedMs), intervals: [500] })
    console.log(
      `${mark}: on the wall ${((performance.now() - startedMs) / 1_000).toFixed(0)} s after the old server was killed`,
    )
    await expect(page.locator('.wall-shell')).toHaveCount(1, { timeout: 60_000 })
    // A person's browser says so and waits for the person.
    await expect(tab.getByRole('button', { name: 'New version, press R' })).toBeVisible({ timeout: 60_000 })
    const before = await tab.evaluate(() => performance.timeOrigin)
    await tab.keyboard.press('R')
    await expect.poll(() => tab.evaluate(() => performance.timeOrigin).catch(() => before)).not.toBe(before)
    await expect(tab.getByRole('button', { name: 'New version, press R' })).toHaveCount(0)
  }
  await expect(wall.locator('.wall[data-link="live"]')).toBeVisible()
  watch.end()
  expect(watch.faults).toEqual([])
  await tab.close()
  await page.close()
})

test('the picture hangs: the shell covers it and loads it anew', async ({ browser }) => {
  const { page, wall } = await openWall(browser, `${deployed.url}/wall`)
  const watch = watchWall(page)
  await expect(wall.locator('.cells canvas')).toBeVisible({ timeout: 60_000 })
  const frame = page.frames().at(-1)
  // Not awaited: it never comes back.
  frame
    ?.evaluate(() => {
      for (;;);
    })
    .catch(() => undefined)
  await expect(page.locator('.cover')).toContainText('NO PICTURE', { timeout: 60_000 })
  await expect(page.locator('.cover')).toBeHidden({ timeout: 60_000 })
  await expect(pictureOf(page).locator('.wall[data-link="live"] .cells canvas')).toBeVisible({ timeout: 60_000 })
  watch.end()
  expect(watch.faults).toEqual([])
  await page.close()
})

test('the renderer of the picture crashes: the shell, in another process, loads the picture anew', async () => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-browser-'))
  const { launchOptions } = base.use ?? {}
  const args = [...(launchOptions?.args ?? []), `--remote-debugging-port=${port}`]
  const first = await chromium.launchPersistentContext(folder, { ...launchOptions, args })
  try {
    const page = first.pages()[0] ?? (await first.newPage())
    await page.goto(`${deployed.url}/wall`)
    await expect(pictureOf(page).locator('.cells canvas')).toBeVisible({ timeout: 60_000 })
    const frame = page.frames().at(-1)
    if (frame === undefined) throw new Error('no picture')
    const session = await first.newCDPSession(frame)
    session.send('Page.crash').catch(() => undefined)
    // To this connection the page has crashed as a whole; another one sees what stands there.
    await page.waitForEvent('crash')
    const second = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    const same = second
      .contexts()[0]
      ?.pages()
      .find((one) => one.url().includes('/wall'))
    if (same === undefined) throw new Error('the shell is gone')
    await expect(pictureOf(same).locator('.wall[data-link="live"] .cells canvas')).toBeVisible({ timeout: 90_000 })
    await expect(same.locator('.cover')).toBeHidden()
    await second.close()
  } finally {
    await first.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the clock jumps by a day, forward and back: ages do not', async ({ browser }) => {
  const { page, wall } = await openWall(browser, `${deployed.url}/wall`)
  for (const jump of [86_400_000, -86_400_000]) {
    await page
      .frames()
      .at(-1)
      ?.evaluate((by) => {
        const real = Date.now
        Date.now = () => real() + by
      }, jump)
    const seq = Number(await wall.locator('.wall').getAttribute('data-seq'))
    await expect
      .poll(async () => Number(await wall.locator('.wall').getAttribute('data-seq')), { timeout: 30_000 })
      .toBeGreaterThan(seq + 2)
    await expect(wall.locator('.wall-age')).toHaveText(/^data \d\d? s$/)
    await expect(wall.locator('.wall[data-freshness="fresh"]')).toBeVisible()
  }
  await page.close()
})

test('a wall loses its token, shows a code, and goes on when a person enters it', async ({ browser }) => {
  const token = 'gst_a-token-of-this-journey'
  const hash = createHash('sha256').update(token).digest('hex')
  await deployed.kill()
  deployed.configure(`auth: { tokens: [{ name: ann, hash: "sha256:${hash}" }] }\n${clusters}`)
  await deployed.start()
  const { page, wall } = await openWall(browser, `${deployed.url}/wall`)
  const watch = watchWall(page)
  const pairTo = async (name: string) => {
    await expect(wall.getByRole('heading', { name: 'Pair this screen' })).toBeVisible({ timeout: 60_000 })
    await expect(wall.getByText(/enter code \d{3} \d{3}/)).toBeVisible({ timeout: 60_000 })
    const [code = ''] = /\d{3} \d{3}/.exec(await wall.locator('.hero').innerText()) ?? []
    const answer = await fetch(`${deployed.url}/api/v1/walls/pair`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ code, name }),
    })
    expect(answer.status).toBe(201)
    await expectLive(wall)
  }
  await pairTo('lobby')
  await fetch(`${deployed.url}/api/v1/walls/lobby`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
  await pairTo('lobby again')
  watch.end()
  expect(watch.faults).toEqual([])
  await page.close()
  await deployed.kill()
  deployed.configure(clusters)
  await deployed.start()
})

test('quiet, incident, a cluster down for long, and quiet again', async ({ browser }) => {
  test.setTimeout(900_000)
  const { page, wall } = await openWall(browser, `${deployed.url}/wall`)
  const watch = watchWall(page)
  await untilCalm(deployed.url, wall, 240_000)
  const places = await placesOf(wall)
  await turnTo('ramp')
  await expect(wall.getByRole('heading', { name: 'campus/directory' })).toBeVisible({ timeout: 120_000 })
  await expect(wall.locator('.hero')).toContainText('clinic/scheduler')
  await expect(wall.getByRole('img', { name: /^QR code: .*\/(triage|s\/)/ })).toBeVisible()
  await prometheus('west', 'stop')
  await expect(wall.locator('.band[data-state="stale"], .band[data-state="down"]')).toBeVisible({ timeout: 60_000 })
  await expect(wall.locator('.band[data-state="down"]')).toBeVisible({ timeout: 180_000 })
  expect(await placesOf(wall)).toEqual(places)
  await expect(wall.locator('.wall-seen')).toHaveText(/^1\/2/)
  await prometheus('west', 'start')
  await expect(wall.locator('.wall-seen')).toHaveText(/^2\/2/, { timeout: 60_000 })
  await turnTo('calm')
  await untilCalm(deployed.url, wall, 300_000)
  watch.end()
  expect(watch.faults).toEqual([])
  await page.close()
})
