import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Pages that are open over a deployment ask for files of the build they came from. */
const KEEP_MS = 7 * 86_400_000

/**
 * Keeps the hashed files of earlier builds, which a new build clears away: call it before, and what it returns after.
 * `assets`: the folder of the build; `store`: where they are kept meanwhile, with the time at which each was replaced.
 */
export function keepAssets(assets, store, nowMs = Date.now()) {
  const kept = join(store, 'files')
  const list = join(store, 'replaced.json')
  mkdirSync(kept, { recursive: true })
  if (existsSync(assets))
    for (const name of readdirSync(assets)) if (!name.endsWith('.map')) cpSync(join(assets, name), join(kept, name))
  const replaced = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {}
  return () => {
    for (const name of readdirSync(kept)) {
      if (existsSync(join(assets, name))) {
        delete replaced[name]
        continue
      }
      replaced[name] ??= nowMs
      if (nowMs - replaced[name] <= KEEP_MS) cpSync(join(kept, name), join(assets, name))
      else {
        rmSync(join(kept, name))
        delete replaced[name]
      }
    }
    writeFileSync(list, JSON.stringify(replaced))
  }
}
