import { type ChildProcess, spawn } from 'node:child_process'

export interface Program {
  /** Ends it, as a crash would. */
  close(): Promise<void>
  /** Asks it to end, and waits for that. */
  end(): Promise<void>
  /** It hangs: connections stay open, nothing is answered. */
  pause(): void
  resume(): void
}

const READY_LIMIT_MS = 120_000
const running = new Set<ChildProcess>()
// A worker that is ended in the middle of a test must not leave servers behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a server and waits until `readyUrl` answers with 200. */
export async function startProgram(binary: string, args: readonly string[], readyUrl: string): Promise<Program> {
  const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  running.add(child)
  let said = ''
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-4_000)
  })
  child.on('error', (error) => {
    said += error.message
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const close = async () => {
    child.kill('SIGKILL')
    await ended
    running.delete(child)
  }
  const end = async () => {
    child.kill('SIGTERM')
    await ended
    running.delete(child)
  }
  const giveUpAt = Date.now() + READY_LIMIT_MS
  for (;;) {
    const ready = await fetch(readyUrl, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
    if (ready?.ok === true)
      return { close, end, pause: () => void child.kill('SIGSTOP'), resume: () => void child.kill('SIGCONT') }
    const dead = child.exitCode !== null || child.pid === undefined
    if (dead || Date.now() > giveUpAt) {
      await close()
      throw new Error(`${binary} ${dead ? 'ended' : 'is not ready'}:\n${said}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
