import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../../scripts/free-ports.mjs'

export interface RunningDemo {
  readonly appUrl: string
  readonly controlUrl: string
  /** Asks the demo to stop and throws unless it does so in order: exit code 0. */
  stop(): Promise<void>
}

const START_LIMIT_MS = 180_000
const main = fileURLToPath(new URL('../../deploy/demo/dist/main.js', import.meta.url))

/** Starts the real demo on free ports and waits until it says where it serves. */
export async function startDemo(options: readonly string[] = ['--manual']): Promise<RunningDemo> {
  const [app = 0, control = 0, east = 0, west = 0] = await freePorts(4)
  const ports = ['--port', `${app}`, '--control-port', `${control}`, '--prometheus-ports', `${east},${west}`]
  const child = spawn(process.execPath, [main, '--no-open', ...ports, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const appUrl = `http://127.0.0.1:${app}`
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`the demo did not start:\n${said}`)), START_LIMIT_MS)
    const listen = (chunk: Buffer) => {
      said += chunk.toString()
      if (!said.includes('Ctrl-C stops everything')) return
      clearTimeout(late)
      resolve()
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', (code) => reject(new Error(`the demo ended with code ${code}:\n${said}`)))
  })
  return {
    appUrl,
    controlUrl: `http://127.0.0.1:${control}`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = await ended
      if (code !== 0) throw new Error(`the demo ended with code ${code} on SIGTERM:\n${said}`)
    },
  }
}
