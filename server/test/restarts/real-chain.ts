import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize } from 'node:v8'
import { gunzipSync } from 'node:zlib'
import { freePorts } from '../../../scripts/free-ports.mjs'
import type { Engines } from '../engines/find-engines.ts'
import { startPage } from '../engines/page.ts'
import { type Program, startProgram } from '../engines/program.ts'

export type ProcessName = 'prometheus' | 'prometheus behind thanos' | 'sidecar' | 'query' | 'goldseam'

/** Cluster `near` is read directly, cluster `far` is found behind Thanos; each process can be killed and started again. */
export interface RealChain {
  /** Of Goldseam. */
  readonly url: string
  /** SIGKILL. */
  kill(name: ProcessName): Promise<void>
  /** SIGTERM. */
  end(name: ProcessName): Promise<void>
  /** With the same port and data. */
  restart(name: ProcessName): Promise<void>
  /** What Goldseam has written down for a next process, in the words that identify it. */
  kept(): string[]
  close(): Promise<void>
}

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

interface Plan {
  readonly binary: string
  readonly args: readonly string[]
  readonly readyUrl: string
}

export async function startRealChain(engines: Engines): Promise<RealChain> {
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-restarts-'))
  const page = await startPage()
  const running = new Map<ProcessName, Program>()
  const plans = new Map<ProcessName, Plan>()
  const restart = async (name: ProcessName) => {
    const plan = plans.get(name)
    if (plan !== undefined) running.set(name, await startProgram(plan.binary, plan.args, plan.readyUrl))
  }
  const start = async (name: ProcessName, plan: Plan) => {
    plans.set(name, plan)
    await restart(name)
  }
  const close = async () => {
    await Promise.all([...running.values()].map((program) => program.close()))
    page.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const ports = await freePorts(7)
    const [near = 0, far = 0, sidecarGrpc = 0, sidecarHttp = 0, queryGrpc = 0, queryHttp = 0, own = 0] = ports
    const at = (port: number) => `http://127.0.0.1:${port}`
    await Promise.all([
      start('prometheus', prometheus(engines, join(folder, 'near'), 'near', near, page.scrapes)),
      start('prometheus behind thanos', prometheus(engines, join(folder, 'far'), 'far', far, page.scrapes)),
    ])
    await start('sidecar', {
      binary: engines.thanos,
      args: ['sidecar', `--prometheus.url=${at(far)}`, ...listening(sidecarGrpc, sidecarHttp)],
      readyUrl: `${at(sidecarHttp)}/-/ready`,
    })
    await start('query', {
      binary: engines.thanos,
      args: ['query', `--endpoint=127.0.0.1:${sidecarGrpc}`, ...listening(queryGrpc, queryHttp)],
      readyUrl: `${at(queryHttp)}/-/ready`,
    })
    const config = join(folder, 'goldseam.yaml')
    writeFileSync(
      config,
      `listen: 127.0.0.1:${own}
refresh: 1s
rateWindow: 12s
lastGoodDirectory: last-good
log: { level: silent }
clusters:
  - { name: near, endpoints: [{ url: "${at(near)}", timeout: 3s }] }
discover:
  - { url: "${at(queryHttp)}", timeout: 3s }
`,
    )
    await start('goldseam', {
      binary: process.execPath,
      args: [MAIN, '--config', config],
      readyUrl: `${at(own)}/readyz`,
    })
    const kill = async (name: ProcessName) => running.get(name)?.close()
    const end = async (name: ProcessName) => running.get(name)?.end()
    const kept = () => identitiesIn(join(folder, 'last-good'))
    return { url: at(own), kill, end, restart, kept, close }
  } catch (error) {
    await close()
    throw error
  }
}

function identitiesIn(directory: string): string[] {
  const names = existsSync(directory) ? readdirSync(directory) : []
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => deserialize(gunzipSync(Buffer.from(readFileSync(join(directory, name), 'utf8'), 'base64'))).identity)
}

function prometheus({ prometheus3 }: Engines, folder: string, cluster: string, port: number, scrapes: string): Plan {
  mkdirSync(folder)
  const file = join(folder, 'prometheus.yml')
  writeFileSync(
    file,
    `global: { external_labels: { cluster: ${cluster} }, scrape_interval: 500ms, scrape_timeout: 500ms }
scrape_configs:
${scrapes}
`,
  )
  const data = `--storage.tsdb.path=${join(folder, 'data')}`
  const args = [`--config.file=${file}`, data, `--web.listen-address=127.0.0.1:${port}`, '--log.level=warn']
  return { binary: prometheus3, args, readyUrl: `http://127.0.0.1:${port}/-/ready` }
}

function listening(grpc: number, http: number): string[] {
  return [`--grpc-address=127.0.0.1:${grpc}`, `--http-address=127.0.0.1:${http}`, '--log.level=warn']
}
