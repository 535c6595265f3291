/** `npm run bench:triage -- [options]`: set-up, then the simulated incidents in this same process. */
import { join } from 'node:path'
import { bootstrap, SetupError, withSetupErrors } from './bootstrap.mjs'
import { ROOT } from './paths.mjs'
import { runStep } from './run-step.mjs'

await withSetupErrors(async () => {
  await bootstrap()
  const tsc = join(ROOT, 'node_modules/@typescript/native/bin/tsc')
  const { code, text } = await runStep(process.execPath, [tsc, '-b', join(ROOT, 'server/bench/triage')])
  if (code !== 0) throw new SetupError(text)
})
const { runTriageBench } = await import(join(ROOT, 'node_modules/.cache/goldseam/bench-triage/bench/triage/main.js'))
process.exit(await runTriageBench(process.argv.slice(2)))
