import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { freePorts } from '../../../scripts/free-ports.mjs'
import { readPieces } from '../../src/federation/in-pieces.ts'
import type { Engines } from '../engines/find-engines.ts'
import { type Program, startProgram } from '../engines/program.ts'
import { calls, type Page, requests, type ServedPage, servePage } from './pages.ts'
import { writePast } from './write-past.ts'

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
  /** All that were killed or asked to end. */
  restartAll(): Promise<void>
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
  const served: ServedPage[] = []
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
    for (const page of served) page.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const ports = await freePorts(7)
    const [near = 0, far = 0, sidecarGrpc = 0, sidecarHttp = 0, queryGrpc = 0, queryHttp = 0, own = 0] = ports
    const at = (port: number) => `http://127.0.0.1:${port}`
    const scraping = async (name: ProcessName, cluster: string, port: number, pages: readonly Page[]) => {
      const page = await servePage(pages)
      served.push(page)
      const place = join(folder, cluster)
      await writePast(engines, join(place, 'data'), page.target, pages)
      await start(name, prometheus(engines, place, cluster, port, page.target))
    }
    await Promise.all([
      scraping('prometheus', 'near', near, [requests, calls]),
      scraping('prometheus behind thanos', 'far', far, [requests]),
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
rateWindow: 30s
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
    const stopped = (name: ProcessName) => {
      const program = running.get(name)
      running.delete(name)
      return program
    }
    const kill = async (name: ProcessName) => stopped(name)?.close()
    const end = async (name: ProcessName) => stopped(name)?.end()
    const restartAll = async () => {
      for (const name of plans.keys()) if (!running.has(name)) await restart(name)
    }
    const kept = () => identitiesIn(join(folder, 'last-good'))
    return { url: at(own), kill, end, restart, restartAll, kept, close }
  } catch (error) {
    await close()
    throw error
  }
}

function identitiesIn(directory: string): string[] {
  const names = existsSync(directory) ? readdirSync(directory) : []
  return names.filter((name) => name.endsWith('.json')).map((name) => aboutIn(join(directory, name)))
}

function aboutIn(file: string): string {
  const { about } = readPieces(gunzipSync(Buffer.from(readFileSync(file, 'utf8'), 'base64'))) as { about: string }
  return about
}

function prometheus({ prometheus3 }: Engines, folder: string, cluster: string, port: number, target: string): Plan {
  const file = join(folder, 'prometheus.yml')
  writeFileSync(
    file,
    `global: { external_labels: { cluster: ${cluster} }, scrape_interval: 500ms, scrape_timeout: 500ms }
scrape_configs:
  - { job_name: page, static_configs: [{ targets: ['${target}'] }] }
`,
  )
  const data = `--storage.tsdb.path=${join(folder, 'data')}`
  const args = [`--config.file=${file}`, data, `--web.listen-address=127.0.0.1:${port}`, '--log.level=warn']
  return { binary: prometheus3, args, readyUrl: `http://127.0.0.1:${port}/-/ready` }
}

function listening(grpc: number, http: number): string[] {
  return [`--grpc-address=127.0.0.1:${grpc}`, `--http-address=127.0.0.1:${http}`, '--log.level=warn']
}
