/** `npm run demo`: set-up, then the simulated clusters in this same process, so that signals reach them directly. */
import { bootstrap, withSetupErrors } from './bootstrap.mjs'

await withSetupErrors(() => bootstrap({ signalExitCode: 0 }))
const { runDemo } = await import('../deploy/demo/dist/main.js')
process.exit(await runDemo(process.argv.slice(2)))
