/** `npm run bench -- [options]`: set-up, then the benchmarks in this same process, so that signals reach them directly. */
import { join } from 'node:path'
import { bootstrap, SetupError, withSetupErrors } from './bootstrap.mjs'
import { ROOT } from './paths.mjs'
import { runStep } from './run-step.mjs'

await withSetupErrors(async () => {
  await bootstrap()
  const tsc = join(ROOT, 'node_modules/@typescript/native/bin/tsc')
  const { code, text } = await runStep(process.execPath, [tsc, '-b', join(ROOT, 'server/bench')])
  if (code !== 0) throw new SetupError(text)
})
const { runBench } = await import(join(ROOT, 'node_modules/.cache/goldseam/bench/main.js'))
process.exit(await runBench(ROOT, process.argv.slice(2)))
