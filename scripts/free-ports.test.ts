import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freePorts } from './free-ports.mjs'

const module = new URL('free-ports.mjs', import.meta.url).href
const drawing = (count: number) =>
  `import { freePorts } from '${module}'; console.log(JSON.stringify(await freePorts(${count})));`

test('draws below the range of outgoing connections, each port once, and lets a program listen there', async () => {
  const ports = await freePorts(50)
  expect(new Set(ports).size).toBe(50)
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(20_000)
    expect(port).toBeLessThan(32_768)
    const server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening')
    await once(server.close(), 'close')
  }
})

test('two processes are never promised the same, however many they draw', async () => {
  const other = spawn(process.execPath, ['--input-type=module', '-e', `${drawing(800)} setInterval(() => {}, 1000)`], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let said = ''
    for await (const chunk of other.stdout) {
      said += chunk
      if (said.endsWith('\n')) break
    }
    const theirs = new Set<number>(JSON.parse(said))
    expect(theirs.size).toBe(800)
    expect((await freePorts(800)).filter((port) => theirs.has(port))).toEqual([])
  } finally {
    other.kill()
    await once(other, 'exit')
  }
})

test('a process ends although it was promised ports', () => {
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', drawing(3)], { timeout: 120_000 })
  expect(JSON.parse(said.toString())).toHaveLength(3)
})
