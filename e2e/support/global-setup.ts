import { startDemo } from './start-demo.ts'

/** The demo of all journeys, by hand (`--manual`): the journeys turn its pages. */
async function globalSetup(): Promise<() => Promise<void>> {
  const demo = await startDemo()
  process.env.GOLDSEAM_E2E_APP = demo.appUrl
  process.env.GOLDSEAM_E2E_CONTROL = demo.controlUrl
  return demo.stop
}

// biome-ignore lint/style/noDefaultExport: Playwright takes the default export of this file.
export default globalSetup
