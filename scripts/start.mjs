/** `npm start -- --config FILE`: set-up, then the server in this same process. */
import { bootstrap, withSetupErrors } from './bootstrap.mjs'

await withSetupErrors(() => bootstrap())
await import('../server/dist/main.js')
