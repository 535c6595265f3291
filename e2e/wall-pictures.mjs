/** Takes the pictures of the wall in README.md anew: `npm run wall:pictures`. From made-up fleets, so that they stay the same. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../scripts/paths.mjs'
import { webpOf, withBrowser } from './support/with-browser.mjs'

const SIZES = { '1080p': [1920, 1080], '4k': [3840, 2160] }
const HOST = 'goldseam.example.com'
const SCENES = ['quiet', 'incident', 'partial', 'blind']

await withBrowser(
  async (load) => {
    const { startWallServer } = await load('/support/wall-server.ts')
    const { wallFrame } = await load('/support/wall-fleet.ts')
    const server = await startWallServer()
    // An address as people have it: the port is another one each time.
    const names = `--host-resolver-rules=MAP ${HOST}:80 ${new URL(server.url).host}`
    const args = [names, `--unsafely-treat-insecure-origin-as-secure=http://${HOST}`]
    return { server, wallFrame, args, stop: () => server.close() }
  },
  async (browser, { server, wallFrame }) => {
    const folder = join(ROOT, 'docs/wall')
    mkdirSync(folder, { recursive: true })
    for (const [size, [width, height]] of Object.entries(SIZES)) {
      const page = await browser.newPage({ viewport: { width, height }, timezoneId: 'UTC' })
      await page.goto(`http://${HOST}/wall`)
      for (const scene of SCENES) {
        const frame = wallFrame({ clusters: 2, workloads: 212, scene })
        server.show(frame)
        const wall = page.frameLocator('iframe')
        await wall.locator(`.wall[data-scene="${frame.snapshot.id}"]`).waitFor()
        // The pulse with which trouble arrives is over.
        await wall
          .locator('.wall')
          .evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
        writeFileSync(join(folder, `${scene}-${size}.webp`), await webpOf(page, 82))
      }
      await page.close()
    }
  },
)
