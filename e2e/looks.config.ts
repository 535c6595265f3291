import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'
import { steadyLetters } from './support/steady-letters.ts'

/** Every state of every screen against its picture, and axe over it: `npm run test:looks`. */
export default defineConfig({
  ...base,
  testDir: './looks',
  globalSetup: './support/looks-setup.ts',
  timeout: 90_000,
  fullyParallel: true,
  // What is wrong is in the picture that a failure attaches.
  use: { ...base.use, ...steadyLetters, trace: 'off' },
  projects: [{ name: 'looks' }],
})
