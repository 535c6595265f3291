import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { librariesBelow, type StorePrograms } from './find-stores.ts'

/** A real server that keeps links, on a port of its own. What it was given survives its death. */
export interface StoreServer {
  readonly port: number
  /** The URL for `links.store`, without the password that it wants. */
  readonly url: string
  readonly password: string
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** Starts it again on the same port with what it kept. */
  start(): Promise<void>
  /** It hangs: connections are taken, nothing is answered. */
  pause(): void
  resume(): void
  /** How many connections Goldseams have to it. */
  connections(): Promise<number>
  close(): Promise<void>
}

export interface StoreTls {
  readonly certFile: string
  readonly keyFile: string
}

const READY_LIMIT_MS = 60_000
const running = new Set<ChildProcess>()
// A worker that is ended in the middle of a test must not leave servers behind.
process.on('exit', () => {
  for (const child of running) signal(child, 'SIGKILL')
})

/** One run of a server, ready when `isReady` says so. */
export async function startServer(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
  isReady: () => Promise<boolean>,
): Promise<{ readonly kill: () => Promise<void>; pause(): void; resume(): void }> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => {
      said = `${said}${text}`.slice(-4_000)
    })
  child.on('error', (error) => {
    said += error.message
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const kill = async () => {
    signal(child, 'SIGKILL')
    await ended
    running.delete(child)
  }
  const giveUpAt = Date.now() + READY_LIMIT_MS
  for (;;) {
    if (await isReady()) return { kill, pause: () => signal(child, 'SIGSTOP'), resume: () => signal(child, 'SIGCONT') }
    const dead = child.exitCode !== null || child.pid === undefined
    if (dead || Date.now() > giveUpAt) {
      await kill()
      throw new Error(`${command} ${dead ? 'ended' : 'is not ready'}:\n${said}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  // Postgres serves each connection by a child. Those end by themselves when it is gone, unless they are stopped.
  for (const pid of childrenOf(child.pid)) attempt(() => process.kill(pid, name === 'SIGKILL' ? 'SIGCONT' : name))
  attempt(() => process.kill(child.pid ?? 0, name))
}

function childrenOf(pid: number): number[] {
  const children = `/proc/${pid}/task/${pid}/children`
  return existsSync(children) ? readFileSync(children, 'utf8').split(' ').filter(Boolean).map(Number) : []
}

/** Who has ended meanwhile needs no signal. */
function attempt(send: () => void): void {
  try {
    send()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** What programs need to find the libraries that were unpacked beside them. */
export function environmentOf({ unpacked }: StorePrograms): NodeJS.ProcessEnv {
  const libraries = unpacked === null ? [] : librariesBelow(unpacked)
  return {
    PATH: process.env.PATH,
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(libraries.length > 0 ? { LD_LIBRARY_PATH: libraries.join(':') } : {}),
  }
}
