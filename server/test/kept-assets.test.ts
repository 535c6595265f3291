import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startGoldseam } from './support/start-goldseam.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'goldseam-kept-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** A release as its image has it: its own files and nobody else's. */
async function release(name: string) {
  const webDir = join(directory, name)
  mkdirSync(join(webDir, 'assets'), { recursive: true })
  writeFileSync(join(webDir, 'index.html'), `<script src="/assets/${name}.js"></script>`)
  writeFileSync(join(webDir, 'assets', `${name}.js`), `'${name}'`)
  const kept = join(directory, 'kept')
  const yaml = `log: { level: silent }\nassetsDirectory: ${kept}\nclusters: [{ name: east, endpoints: [{ url: http://127.0.0.1:1 }] }]\n`
  const goldseam = await startGoldseam(yaml, webDir)
  const get = async (file: string) => {
    const response = await fetch(`${goldseam.url}/assets/${file}`)
    return { status: response.status, text: await response.text(), cache: response.headers.get('cache-control') }
  }
  return { get, close: goldseam.close }
}

test('a release has the files of the one before it, for a week after that was replaced', async () => {
  const first = await release('first')
  expect(await first.get('first.js')).toMatchObject({ status: 200, text: "'first'" })
  await first.close()

  const second = await release('second')
  expect(await second.get('second.js')).toMatchObject({ status: 200 })
  expect(await second.get('first.js')).toEqual({
    status: 200,
    text: "'first'",
    cache: 'public, max-age=31536000, immutable',
  })
  expect((await second.get('never.js')).status).toBe(404)
  await second.close()

  const longAgo = new Date(Date.now() - 8 * 86_400_000)
  utimesSync(join(directory, 'kept/first.js'), longAgo, longAgo)
  const third = await release('third')
  expect((await third.get('first.js')).status).toBe(404)
  expect((await third.get('second.js')).status).toBe(200)
  await third.close()
})

test('where nothing can be written the page is served all the same', async () => {
  writeFileSync(join(directory, 'kept'), 'a file in the way')
  const only = await release('only')
  expect((await only.get('only.js')).status).toBe(200)
  await only.close()
})
