import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

/** The Envoy that `npm run setup:engines` fetched; null where it could not. */
export function findEnvoy(env: NodeJS.ProcessEnv): string | null {
  const place = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'goldseam', 'envoy')
  const versions = existsSync(place) ? readdirSync(place).sort() : []
  return versions.map((version) => join(place, version, 'envoy')).findLast(existsSync) ?? null
}

export interface RealEnvoy {
  close(): Promise<void>
}

/** A real Envoy with this bootstrap, ready to take requests. */
export async function startEnvoy(binary: string, adminPort: number, config: string): Promise<RealEnvoy> {
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-envoy-'))
  const file = join(folder, 'envoy.yaml')
  writeFileSync(file, config)
  const args = ['-c', file, '--concurrency', '1', '-l', 'warn', '--use-dynamic-base-id', '--disable-hot-restart']
  const child: ChildProcess = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr?.on('data', (text) => {
    said += text
  })
  const exited = new Promise<void>((resolve) => child.on('close', () => resolve()))
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${adminPort}/ready`).catch(() => null)
    if (ready?.ok === true) break
    if (child.exitCode !== null) throw new Error(`Envoy did not start:\n${said}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    async close() {
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
