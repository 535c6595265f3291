import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../scripts/free-ports.mjs'

export interface RealPrometheus {
  readonly url: string
  close(): Promise<void>
}

/** A real Prometheus with an empty data directory and this config, ready to answer. `prefix` is a path such as `/prom`. */
export async function startPrometheus(
  binary: string,
  config: string,
  prefix = '',
  flags: readonly string[] = [],
): Promise<RealPrometheus> {
  const directory = mkdtempSync(join(tmpdir(), 'goldseam-prometheus-'))
  const file = join(directory, 'prometheus.yml')
  writeFileSync(file, config)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}${prefix}`
  const args = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(directory, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    `--web.external-url=${url}`,
    ...flags,
    '--web.enable-remote-write-receiver',
  ]
  const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  const exited = new Promise<void>((resolve) => child.on('close', () => resolve()))
  child.on('error', (error) => {
    said += error.message
  })
  for (;;) {
    const ready = await fetch(`${url}/-/ready`).catch(() => null)
    if (ready?.ok === true) break
    if (child.exitCode !== null || child.pid === undefined) throw new Error(`Prometheus did not start:\n${said}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    url,
    async close() {
      child.kill('SIGKILL')
      await exited
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
