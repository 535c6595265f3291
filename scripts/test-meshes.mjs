/**
 * `npm run test:meshes`: the demo's story with every mesh and version, as the caller's and as the callees' (62 pairs
 * of some 20 seconds). `npm run test:meshes -- 2/4`: the second of four parts.
 */
import { bootstrap, SetupError, withSetupErrors } from './bootstrap.mjs'
import { ROOT } from './paths.mjs'
import { cleanEnvironment, runStep } from './run-step.mjs'

await withSetupErrors(async () => {
  const [part = '1/1'] = process.argv.slice(2)
  if (!/^\d+\/\d+$/.test(part)) throw new SetupError(`${part} is not a part such as 2/4`)
  await bootstrap()
  const { findPrometheus } = await import('../deploy/demo/dist/prometheus/find.js')
  const { path } = await findPrometheus({ onProgress: (line) => process.stdout.write(`${line}\n`) })
  const env = { ...cleanEnvironment(), PROMETHEUS_BIN: path, GOLDSEAM_MESHES: part }
  const args = [`${ROOT}node_modules/vitest/vitest.mjs`, 'run', '--root', ROOT, 'deploy/demo/src/matrix']
  const { code } = await runStep(process.execPath, args, { env, output: 'shown' })
  process.exitCode = code ?? 1
})
