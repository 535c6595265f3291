import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** What a wall lives through in a year, in minutes: `npm run test:wall`. Each journey starts what it needs. */
export default defineConfig({
  ...base,
  testDir: './wall',
  globalSetup: [],
  timeout: 600_000,
  workers: 1,
  projects: [{ name: 'wall' }],
})
