import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.mjs'

let folder = ''
let lock = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'goldseam-lock-'))
  lock = join(folder, 'lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('who comes second begins when the first has ended, however that ended', async () => {
  const said: string[] = []
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const first = oneAtATime(lock, async () => {
    said.push('first begins')
    await ended
    said.push('first ends')
    throw new Error('no disk')
  })
  const second = oneAtATime(
    lock,
    async () => {
      said.push('second begins')
      return 2
    },
    (pid: number) => {
      said.push(`waits for ${pid === process.pid}`)
      end()
    },
  )
  await expect(first).rejects.toThrow('no disk')
  expect(await second).toBe(2)
  expect(said).toEqual(['first begins', 'waits for true', 'first ends', 'second begins'])
  expect(existsSync(lock)).toBe(false)
})

test('what a process left behind that was killed holds nobody up', async () => {
  const { pid } = spawnSync(process.execPath, ['--eval', ''])
  writeFileSync(lock, String(pid))
  expect(await oneAtATime(lock, async () => 1)).toBe(1)
  expect(existsSync(lock)).toBe(false)
})
