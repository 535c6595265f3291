import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, startChild } from '../process/child.ts'
import { prometheusYaml, type ScrapeJob } from './config.ts'

/** One cluster's Prometheus: its folder and its process, which may be stopped and started again over the same data. */
export interface PrometheusServer {
  readonly cluster: string
  readonly url: string
  pid(): number | null
  lastLines(): string
  start(): Promise<void>
  stop(): Promise<void>
  /** From now on it scrapes what the files of these jobs list. */
  scrape(jobs: readonly ScrapeJob[]): Promise<void>
  /** Resolves when the present process ends; `expected` if it was told to. */
  ended(): Promise<{ how: string; expected: boolean }>
}

const READY_LIMIT_MS = 60_000

export async function createPrometheusServer(options: {
  cluster: string
  binary: string
  folder: string
  port: number
  signal: AbortSignal
}): Promise<PrometheusServer> {
  const { cluster, folder, signal } = options
  const url = `http://127.0.0.1:${options.port}`
  const configFile = join(folder, 'prometheus.yml')
  let child: Child | undefined
  let stopping = false
  await writeFile(configFile, prometheusYaml([]))

  return {
    cluster,
    url,
    pid: () => (child?.isRunning() ? child.pid : null),
    lastLines: () => child?.lastLines() ?? '',
    async start() {
      if (child?.isRunning()) return
      stopping = false
      child = await startChild(options.binary, [
        `--config.file=${configFile}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${options.port}`,
        '--storage.tsdb.retention.time=1d',
        '--web.enable-lifecycle',
        '--web.enable-remote-write-receiver',
        '--log.level=warn',
      ])
      await waitUntilReady(`${url}/-/ready`, child, signal, `${cluster}'s Prometheus`)
    },
    async stop() {
      stopping = true
      await child?.stop()
    },
    async scrape(jobs) {
      await writeFile(configFile, prometheusYaml(jobs))
      const response = await fetch(`${url}/-/reload`, { method: 'POST', signal })
      if (!response.ok) throw new Error(`${cluster}'s Prometheus refused its configuration: ${await response.text()}`)
    },
    async ended() {
      const how = (await child?.ended) ?? 'never started'
      return { how, expected: stopping }
    },
  }
}

export async function waitUntilReady(url: string, child: Child, signal: AbortSignal, whose: string): Promise<void> {
  const giveUpAt = Date.now() + READY_LIMIT_MS
  while (!signal.aborted) {
    if (!child.isRunning())
      throw new Error(`${whose} ended while starting (${await child.ended}):\n${child.lastLines()}`)
    const ready = await fetch(url, { signal: AbortSignal.timeout(2000) }).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    if (Date.now() > giveUpAt)
      throw new Error(`${whose} is not ready after ${READY_LIMIT_MS / 1000} s:\n${child.lastLines()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
