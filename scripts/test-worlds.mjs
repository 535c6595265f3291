/**
 * `npm run test:worlds`: joins 200 drawn fleets as a real Prometheus tells of them, and holds every edge against the
 * truth. `npm run test:worlds -- 1-50`: those of these seeds.
 */
import { bootstrap, SetupError, withSetupErrors } from './bootstrap.mjs'
import { ROOT } from './paths.mjs'
import { cleanEnvironment, runStep } from './run-step.mjs'

await withSetupErrors(async () => {
  const [seeds = '1-200'] = process.argv.slice(2)
  if (!/^\d+-\d+$/.test(seeds)) throw new SetupError(`${seeds} are no seeds such as 1-50`)
  await bootstrap()
  const { findPrometheus } = await import('../deploy/demo/dist/prometheus/find.js')
  const { path } = await findPrometheus({ onProgress: (line) => process.stdout.write(`${line}\n`) })
  const env = { ...cleanEnvironment(), PROMETHEUS_BIN: path, GOLDSEAM_WORLDS: seeds }
  const args = [`${ROOT}node_modules/vitest/vitest.mjs`, 'run', '--root', ROOT, 'server/test/worlds']
  const { code } = await runStep(process.execPath, args, { env, output: 'shown' })
  process.exitCode = code ?? 1
})
