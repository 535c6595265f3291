import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type ResidentMemory, residentMemory } from './resident-memory.ts'
import type { StartedGoldseam } from './start-goldseam.ts'

export type SpawnedGoldseam = StartedGoldseam &
  ResidentMemory & {
    /** What it wrote that is no log line. */
    readonly said: readonly string[]
    /** Asks it to stop; gives its exit code. */
    stop(): Promise<number | null>
  }

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const running = new Set<() => void>()
// A worker that is ended in the middle of a test must not leave servers behind.
process.on('exit', () => {
  for (const kill of running) kill()
})

/** The built server in a process of its own, from the text of a config file without `listen`: what it uses is its alone. */
export async function spawnGoldseam(yaml: string): Promise<SpawnedGoldseam> {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: npm run build`)
  const directory = mkdtempSync(join(tmpdir(), 'goldseam-server-'))
  const file = join(directory, 'goldseam.yaml')
  writeFileSync(file, `listen: 127.0.0.1:0\n${yaml}`)
  const child = spawn(process.execPath, [MAIN, '--config', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => void child.kill('SIGKILL')
  running.add(kill)
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const logged: Record<string, unknown>[] = []
  const said: string[] = []
  const url = new Promise<string>((resolve, reject) => {
    const hear = (line: string) => {
      if (line.startsWith('{')) logged.push(JSON.parse(line))
      else said.push(line)
      const address = / serves (http:\/\/\S+) /.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    }
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', hear)
    void ended.then(() => reject(new Error(`Goldseam ended:\n${said.join('\n')}`)))
  })
  const close = async () => {
    kill()
    await ended
    running.delete(kill)
    rmSync(directory, { recursive: true })
  }
  try {
    const base = await url
    return {
      ...residentMemory(child.pid ?? 0),
      url: base,
      logged,
      said,
      async stop() {
        child.kill('SIGTERM')
        await ended
        return child.exitCode
      },
      async get(path, signal) {
        const response = await fetch(base + path, signal === undefined ? {} : { signal })
        return { status: response.status, body: (await response.json()) as never }
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
