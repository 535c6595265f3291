import { createServer } from 'node:http'
import { compose } from '../../src/compose.ts'
import { parseConfig } from '../../src/config/config.ts'
import { createSecrets } from '../../src/config/secrets.ts'
import { listening } from './fake-prometheus.ts'

export interface StartedGoldseam {
  readonly url: string
  /** Everything that was logged, one entry a line; nothing with `level: silent`. */
  readonly logged: readonly Record<string, unknown>[]
  get(path: string, signal?: AbortSignal): Promise<{ status: number; body: never }>
  close(): Promise<void>
}

/** The whole server behind a free port, from the text of a config file. */
export async function startGoldseam(yaml: string, webDir: string | null = null): Promise<StartedGoldseam> {
  const parsed = parseConfig(yaml, 'goldseam.yaml')
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors))
  // What other tests left behind is nobody's.
  const lastGoodDirectory = /^lastGoodDirectory:/m.test(yaml) ? parsed.config.lastGoodDirectory : 'none'
  // A snapshot that goes out without a cluster because the machine is busy is no matter of most tests.
  const limits = /softDeadline:/.test(yaml)
    ? parsed.config.limits
    : { ...parsed.config.limits, softDeadlineSeconds: 30 }
  const config = { ...parsed.config, lastGoodDirectory, limits }
  const loaded = { config, file: 'goldseam.yaml', secrets: createSecrets('.') }
  const logged: Record<string, unknown>[] = []
  const logTo = { write: (line: string) => void logged.push(JSON.parse(line)) }
  const composed = await compose(loaded, { isReady: () => true, webDir, build: 'test', logTo })
  const server = createServer(composed.app)
  const url = `http://127.0.0.1:${await listening(server)}`
  return {
    url,
    logged,
    async get(path, signal) {
      const response = await fetch(url + path, signal === undefined ? {} : { signal })
      return { status: response.status, body: (await response.json()) as never }
    },
    async close() {
      await composed.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
