import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { createServer as createVite } from 'vite'
import { bootstrap, withSetupErrors } from '../../scripts/bootstrap.mjs'
import { findChromium } from '../../scripts/find-chromium.mjs'
import { ROOT } from '../../scripts/paths.mjs'

/**
 * For scripts outside of the test runner: everything built, a Chromium, and `load`, which imports TypeScript below e2e/.
 * `prepare` comes before the browser and may hand back `args` for it and a `stop`; all of it is ended in any case.
 */
export async function withBrowser(prepare, work) {
  await withSetupErrors(async () => {
    await bootstrap()
    const { path, problem } = await findChromium()
    if (!path) throw new Error(problem)
    // Vite only translates the TypeScript of the support files here; Node 20 cannot.
    const vite = await createVite({
      root: join(ROOT, 'e2e'),
      configFile: false,
      logLevel: 'error',
      server: { middlewareMode: true, hmr: false, ws: false },
    })
    let prepared = {}
    let browser
    try {
      prepared = await prepare((file) => vite.ssrLoadModule(file))
      const args = ['--no-sandbox', '--disable-gpu', ...(prepared.args ?? [])]
      browser = await chromium.launch({ executablePath: path, args })
      await work(browser, prepared)
    } finally {
      await browser?.close()
      await prepared.stop?.()
      await vite.close()
    }
  })
}

/** What the page shows, as WebP: a quarter of the size of a PNG; Playwright itself writes none. */
export async function webpOf(page, quality) {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
  await session.detach()
  return Buffer.from(data, 'base64')
}
