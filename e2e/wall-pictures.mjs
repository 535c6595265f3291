/** Takes the pictures of the wall in README.md anew: `npm run wall:pictures`. From made-up fleets, so that they stay the same. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { createServer as createVite } from 'vite'
import { bootstrap, withSetupErrors } from '../scripts/bootstrap.mjs'
import { findChromium } from '../scripts/find-chromium.mjs'
import { ROOT } from '../scripts/paths.mjs'

const SIZES = { '1080p': [1920, 1080], '4k': [3840, 2160] }
const HOST = 'goldseam.example.com'
const SCENES = ['quiet', 'incident', 'partial', 'blind']

await withSetupErrors(async () => {
  await bootstrap()
  const { path } = await findChromium()
  // Vite only translates the TypeScript of the fixtures here; Node 20 cannot.
  const vite = await createVite({
    root: join(ROOT, 'e2e'),
    configFile: false,
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false },
  })
  const { startWallServer } = await vite.ssrLoadModule('/support/wall-server.ts')
  const { wallFrame } = await vite.ssrLoadModule('/support/wall-fleet.ts')
  const server = await startWallServer()
  // An address as people have it: the port is another one each time.
  const names = `--host-resolver-rules=MAP ${HOST}:80 ${new URL(server.url).host}`
  const browser = await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', names, `--unsafely-treat-insecure-origin-as-secure=http://${HOST}`],
  })
  const folder = join(ROOT, 'docs/wall')
  mkdirSync(folder, { recursive: true })
  for (const [size, [width, height]] of Object.entries(SIZES)) {
    const page = await browser.newPage({ viewport: { width, height }, timezoneId: 'UTC' })
    const session = await page.context().newCDPSession(page)
    await page.goto(`http://${HOST}/wall`)
    for (const scene of SCENES) {
      const frame = wallFrame({ clusters: 2, workloads: 212, scene })
      server.show(frame)
      const wall = page.frameLocator('iframe')
      await wall.locator(`.wall[data-scene="${frame.snapshot.id}"]`).waitFor()
      // The pulse with which trouble arrives is over.
      await wall.locator('.wall').evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
      // A quarter of the size of a PNG; Playwright itself writes none.
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 })
      writeFileSync(join(folder, `${scene}-${size}.webp`), Buffer.from(data, 'base64'))
    }
    await page.close()
  }
  await browser.close()
  await server.close()
  await vite.close()
})
