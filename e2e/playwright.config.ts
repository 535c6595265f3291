import { defineConfig } from '@playwright/test'

/** Started by `npm test`, which finds a browser and a Prometheus; alone: `npm test -- --e2e`. */
export default defineConfig({
  testDir: './journeys',
  globalSetup: './support/global-setup.ts',
  // One demo with one story: the journeys are its chapters, read in order.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  timeout: 240_000,
  expect: { timeout: 20_000 },
  outputDir: '../test-results',
  use: {
    viewport: { width: 1366, height: 768 },
    colorScheme: 'light',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_BIN ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
