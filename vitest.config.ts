import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const SKIPPED = ['**/node_modules/**', '**/dist/**', '**/.demo/**']
/** Hold the server to times that are part of its promises (two refreshes, an age), so nothing else may run beside them. */
const TIMED = ['server/test/faults/*.test.ts', 'server/test/restarts/*.test.ts', 'server/test/stores/*.test.ts']

/** Its CommonJS half would bring a second editor that does not know the first; browsers get this half too. */
const promqlMode = fileURLToPath(
  new URL('node_modules/@prometheus-io/codemirror-promql/dist/esm/index.js', import.meta.url),
)

export default defineConfig({
  resolve: { alias: { '@prometheus-io/codemirror-promql': promqlMode } },
  test: {
    environment: 'node',
    // Real servers and a real Prometheus are started by some tests, on machines with two busy cores. It ends what
    // hangs: on a machine that is shared a test may take ten times as long as by itself, and is right nevertheless.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 90_000 } },
    // Tests that run side by side within a file mostly wait.
    maxConcurrency: 12,
    // A test that hangs on to a server would otherwise keep the run alive for ever.
    teardownTimeout: 10_000,
    restoreMocks: true,
    server: { deps: { inline: [/codemirror/, /lezer/] } },
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: [
            'server/{src,test}/**/*.test.ts',
            'web/{src,test}/**/*.test.{ts,tsx}',
            'deploy/demo/{src,test}/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...SKIPPED, ...TIMED],
          sequence: { groupOrder: 0 },
          // With real servers they mostly wait for a scrape or a refresh: one at a time, Vitest's own choice on two
          // cores, takes twice as long.
          maxWorkers: Math.max(5, availableParallelism() - 1),
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: TIMED,
          exclude: SKIPPED,
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
          // Each of them starts a server, and then mostly waits.
          maxConcurrency: 13,
        },
      },
    ],
  },
})
