import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'server/{src,test}/**/*.test.ts',
      'web/{src,test}/**/*.test.{ts,tsx}',
      'deploy/demo/{src,test}/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.demo/**'],
    environment: 'node',
    // Real servers and a real Prometheus are started by some tests, on machines with two busy cores.
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Tests that run side by side within a file mostly wait.
    maxConcurrency: 12,
    // A test that hangs on to a server would otherwise keep the run alive for ever.
    teardownTimeout: 10_000,
    restoreMocks: true,
  },
})
