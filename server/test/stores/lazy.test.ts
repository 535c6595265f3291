import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const OPEN_STORE = new URL('../../dist/links/open-store.js', import.meta.url).href
const COMPOSE = new URL('../../dist/compose.js', import.meta.url).href

/** Which drivers a fresh process has loaded that knows all of Goldseam and has opened a store of this kind. */
async function driversOf(place: object): Promise<string[]> {
  const program = `
    import { createRequire } from 'node:module'
    await import(${JSON.stringify(COMPOSE)})
    const { openStore } = await import(${JSON.stringify(OPEN_STORE)})
    const store = await openStore(${JSON.stringify(place)}, () => undefined)
    await store.close()
    console.log(Object.keys(createRequire(import.meta.url).cache).join('\\n'))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  return ['/pg/lib/', '/@redis/client/'].filter((part) => stdout.includes(part))
}

const SERVER = { host: '127.0.0.1', port: 1, database: '0', username: null, password: null, tls: null }

test.each([
  [{ kind: 'memory' }, []],
  [{ kind: 'directory', directory: '/nowhere' }, []],
  [{ kind: 'redis', ...SERVER }, ['/@redis/client/']],
  [{ kind: 'postgres', ...SERVER }, ['/pg/lib/']],
])('%j loads only its own driver', async (place, drivers) => {
  expect(await driversOf(place)).toEqual(drivers)
})
