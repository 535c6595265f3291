import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isBuilt, keepAssets } from '../src/http/kept-assets.ts'
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
  writeFileSync(join(webDir, 'index.html'), `<script src="/assets/${name}-abcdEF_1.js"></script>`)
  writeFileSync(join(webDir, 'assets', `${name}-abcdEF_1.js`), `'${name}'`)
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
  expect(await first.get('first-abcdEF_1.js')).toMatchObject({ status: 200, text: "'first'" })
  await first.close()

  const second = await release('second')
  expect(await second.get('second-abcdEF_1.js')).toMatchObject({ status: 200 })
  expect(await second.get('first-abcdEF_1.js')).toEqual({
    status: 200,
    text: "'first'",
    cache: 'public, max-age=31536000, immutable',
  })
  expect((await second.get('never-abcdEF_1.js')).status).toBe(404)
  await second.close()

  const longAgo = new Date(Date.now() - 8 * 86_400_000)
  utimesSync(join(directory, 'kept/first-abcdEF_1.js'), longAgo, longAgo)
  const third = await release('third')
  expect((await third.get('first-abcdEF_1.js')).status).toBe(404)
  expect((await third.get('second-abcdEF_1.js')).status).toBe(200)
  await third.close()
})

test('where nothing can be written the page is served all the same', async () => {
  writeFileSync(join(directory, 'kept'), 'a file in the way')
  const only = await release('only')
  expect((await only.get('only-abcdEF_1.js')).status).toBe(200)
  await only.close()
})

const NOT_OURS = ['walls.json', 'goldseam-walls.json', 'notes-abcdEF_1.txt', 'lost+found/x', 'dir-abcdEF_1.js/x']
const longAgo = new Date(Date.now() - 30 * 86_400_000)

test('what else is in the directory is neither removed nor shown to anybody', async () => {
  const kept = join(directory, 'kept')
  for (const name of ['lost+found', 'dir-abcdEF_1.js']) mkdirSync(join(kept, name), { recursive: true })
  for (const name of [...NOT_OURS, 'old-abcdEF_1.js']) writeFileSync(join(kept, name), 'secret')
  writeFileSync(join(directory, 'elsewhere'), 'secret')
  symlinkSync(join(directory, 'elsewhere'), join(kept, 'link-abcdEF_1.js'))
  for (const name of [...NOT_OURS, 'old-abcdEF_1.js', 'lost+found', 'dir-abcdEF_1.js'])
    utimesSync(join(kept, name), longAgo, longAgo)
  const webDir = join(directory, 'web')
  mkdirSync(join(webDir, 'assets'), { recursive: true })
  writeFileSync(join(webDir, 'assets', 'new-abcdEF_1.js'), '')
  const complaints: unknown[] = []
  const { close } = await keepAssets(webDir, kept, (error) => complaints.push(error))
  close()
  expect(complaints).toEqual([])
  expect(NOT_OURS.filter((name) => !existsSync(join(kept, name)))).toEqual([])
  expect(existsSync(join(kept, 'old-abcdEF_1.js'))).toBe(false)

  const next = await release('next')
  expect((await next.get('new-abcdEF_1.js')).status).toBe(200)
  for (const name of [...NOT_OURS, 'link-abcdEF_1.js']) expect((await next.get(name)).status, name).toBe(404)
  await next.close()
})

test('several servers may clear one directory at the same moment', async () => {
  const kept = join(directory, 'kept')
  mkdirSync(kept)
  const webDir = join(directory, 'web')
  mkdirSync(join(webDir, 'assets'), { recursive: true })
  for (let index = 0; index < 50; index += 1) {
    writeFileSync(join(webDir, 'assets', `own${index}-abcdEF_1.js`), '')
    writeFileSync(join(kept, `old${index}-abcdEF_1.js`), '')
    utimesSync(join(kept, `old${index}-abcdEF_1.js`), longAgo, longAgo)
  }
  const complaints: unknown[] = []
  const complain = (error: unknown) => void complaints.push(error)
  const servers = await Promise.all(Array.from({ length: 4 }, () => keepAssets(webDir, kept, complain)))
  for (const { close } of servers) close()
  expect(complaints).toEqual([])
  expect(readdirSync(kept).filter((name) => !name.startsWith('own'))).toEqual([])
})

test('what the build made of this project is all taken for its files', () => {
  const built = join(import.meta.dirname, '../../web/dist/assets')
  const names = existsSync(built) ? readdirSync(built) : []
  expect(names.filter((name) => !name.endsWith('.map') && !isBuilt(name))).toEqual([])
})
