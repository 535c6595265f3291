import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

/** A program that the demo started, with the end of what it said. */
export interface Child {
  readonly pid: number
  /** Resolves when it has ended, however. */
  readonly ended: Promise<string>
  isRunning(): boolean
  lastLines(): string
  /** SIGTERM, then SIGKILL if that did not help. */
  stop(): Promise<void>
}

const KILL_AFTER_MS = 5000
const KEPT_LINES = 20

export async function startChild(command: string, args: readonly string[], cwd?: string): Promise<Child> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...(cwd === undefined ? {} : { cwd }) })
  const lines = keepLines(child.stdout, child.stderr)
  let running = true
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      running = false
      resolve(signal ?? `exit code ${code}`)
    })
  })
  const pid = await spawned(child)
  return {
    pid,
    ended,
    isRunning: () => running,
    lastLines: () => lines.join('\n'),
    async stop() {
      if (!running) return
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
      await ended
      clearTimeout(timer)
    },
  }
}

function spawned(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', () => resolve(child.pid ?? 0))
  })
}

function keepLines(...streams: readonly Readable[]): string[] {
  const lines: string[] = []
  for (const stream of streams) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      lines.push(...text.split('\n').filter(Boolean))
      lines.splice(0, Math.max(0, lines.length - KEPT_LINES))
    })
  }
  return lines
}

export function endedText(what: string, how: string, lastLines: string): string {
  return `✗ ${what} ended unexpectedly (${how}); the rest goes on. ${lastLines ? `Its last lines:\n${lastLines}` : 'It said nothing.'}`
}
