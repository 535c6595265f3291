import { defineConfig } from '@playwright/test'

const STORY = 'campus.spec.ts'

/** Started by `npm test`, which finds a browser and a Prometheus; alone: `npm test -- --e2e`. */
export default defineConfig({
  testDir: './journeys',
  globalSetup: './support/global-setup.ts',
  workers: 2,
  projects: [
    { name: 'screens', testIgnore: STORY, fullyParallel: true },
    // One demo with one story: its journeys are chapters, read in order, with nothing else on the processors.
    { name: 'story', testMatch: STORY, dependencies: ['screens'] },
  ],
  retries: 0,
  forbidOnly: true,
  timeout: 400_000,
  expect: { timeout: 45_000 },
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
