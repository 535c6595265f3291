import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, createServer, get } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listening } from './support/fake-prometheus.ts'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))

let directory = ''
const children: ChildProcess[] = []
beforeEach(() => {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: npm run build`)
  directory = mkdtempSync(join(tmpdir(), 'goldseam-main-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(directory, { recursive: true })
})

function start(...args: string[]) {
  const { INIT_CWD: _cwd, GOLDSEAM_CONFIG: _config, ...env } = process.env
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: directory, env })
  children.push(child)
  const told = { out: '', err: '' }
  child.stdout.on('data', (text) => {
    told.out += text
  })
  child.stderr.on('data', (text) => {
    told.err += text
  })
  // 'exit' may come before the last of what it said.
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, told, exited }
}

function config(listen: string, rest = ''): string {
  const file = join(directory, 'goldseam.yaml')
  writeFileSync(
    file,
    `listen: ${listen}\nclusters: [{ name: east, endpoints: [{ url: http://127.0.0.1:1 }] }]\n${rest}`,
  )
  return file
}

test('--help and --version answer', async () => {
  const help = start('--help')
  expect(await help.exited).toBe(0)
  expect(help.told.out).toContain('--config FILE')
  const version = start('--version')
  expect(await version.exited).toBe(0)
  expect(version.told.out).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('an unknown argument is refused', async () => {
  const { exited, told } = start('--confg', 'x')
  expect(await exited).toBe(2)
  expect(told.err).toContain('--confg')
})

test('no config at all: points at the demo and shows an example, exit code 78', async () => {
  const { exited, told } = start()
  expect(await exited).toBe(78)
  expect(told.err).toContain('npm run demo')
  expect(told.err).toContain('clusters:')
})

test('an invalid config: every error with its line, exit code 78', async () => {
  const file = config('127.0.0.1:0', 'refesh: 1s\nrefresh: often\n')
  const { exited, told } = start('--config', file)
  expect(await exited).toBe(78)
  expect(told.err).toContain(`${file}:3:1: refesh: unknown key; did you mean refresh?`)
  expect(told.err).toContain(`${file}:4:10: refresh: 'often' is not a duration`)
})

test('a port in use: says how to fix it, exit code 1', async () => {
  const taken = createServer()
  const port = await listening(taken)
  config(`127.0.0.1:${port}`)
  const { exited, told } = start()
  expect(await exited).toBe(1)
  expect(told.err).toContain(`127.0.0.1:${port} is in use by another program`)
  taken.close()
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it while it starts, too', async (signal) => {
  // It waits a while for the names of the clusters there.
  const silent = createServer()
  const asked = once(silent, 'request')
  const file = join(directory, 'goldseam.yaml')
  writeFileSync(file, `listen: 127.0.0.1:0\ndiscover: [{ url: http://127.0.0.1:${await listening(silent)} }]\n`)
  const { child, told, exited } = start('--config', file)
  await asked
  child.kill(signal)
  // Null: ended by the signal itself, which never ends process 1.
  expect(await exited).toBe(0)
  expect(told.out).not.toContain('serves')
  silent.closeAllConnections()
  silent.close()
})

test.each(['SIGTERM', 'SIGINT'] as const)('serves, and %s ends it with exit code 0', async (signal) => {
  config('127.0.0.1:0')
  const { child, told, exited } = start()
  await expect.poll(() => told.out, { timeout: 90_000 }).toMatch(/serves http:\/\/127\.0\.0\.1:\d+ /)
  const url = /http:\S+/.exec(told.out)?.[0]
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect((await fetch(`${url}/api/v1/build`)).status).toBe(200)
  child.kill(signal)
  expect(await exited).toBe(0)
  expect(told.out.trim().split('\n')).toHaveLength(1)
})

test('neither a wall that looks on nor a connection that never asks holds the end up', async () => {
  config('127.0.0.1:0')
  const { child, told, exited } = start()
  await expect.poll(() => told.out, { timeout: 90_000 }).toMatch(/serves http:\/\/127\.0\.0\.1:\d+ /)
  const spare = connect(Number(/:(\d+) /.exec(told.out)?.[1]), '127.0.0.1')
  const agent = new Agent({ keepAlive: true })
  const ended = new Promise((resolve, reject) => {
    get(`${/http:\S+/.exec(told.out)?.[0]}/api/v1/wall/stream`, { agent }, (stream) => {
      stream.on('error', reject).on('end', resolve).resume()
      child.kill('SIGTERM')
    }).on('error', reject)
  })
  await ended
  expect(await exited).toBe(0)
  expect(told.err).not.toContain('cut off')
  agent.destroy()
  spare.destroy()
})

test('beyond loopback without access control: refuses and says what to write; with `auth: none` it serves', async () => {
  config('0.0.0.0:0')
  const refused = start()
  expect(await refused.exited).toBe(78)
  expect(refused.told.err).toContain('listen: other machines could read all metrics at 0.0.0.0 without signing in')
  expect(refused.told.err).toContain('add `auth: none` if everybody who reaches it may')
  expect(refused.told.out).toBe('')

  config('0.0.0.0:0', 'auth: none\n')
  const { child, told, exited } = start()
  await expect.poll(() => told.out, { timeout: 90_000 }).toMatch(/serves http:\/\/\S+:\d+ /)
  const port = /http:\S+:(\d+)/.exec(told.out)?.[1]
  expect((await fetch(`http://127.0.0.1:${port}/api/v1/fleet`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})
