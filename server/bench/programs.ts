import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A running server. */
export interface Program {
  readonly pid: number
  /** CPU time used since it was started, by all of its threads. */
  cpuSeconds(): number
  /** What its main thread had of the processors so far. */
  mainThread(): Scheduled
  /** The most memory it ever held. */
  peakBytes(): number
  close(): Promise<void>
}

/** Of one thread: time in which it ran, and in which it could have run but the processors were busy with others. */
export interface Scheduled {
  readonly ranSeconds: number
  readonly waitedSeconds: number
  /** How often it was given a processor. */
  readonly turns: number
}

/** On a machine that is busy with others, and ten times the usual even so. */
const READY_LIMIT_MS = 180_000
const PROBE_LIMIT_MS = 10_000
const CLOSE_LIMIT_MS = 6_000
const running = new Set<ChildProcess>()
const folders = new Set<string>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => process.exit(code))
}

/** Ends with this run, however it is interrupted. */
export function endWithRun(child: ChildProcess): void {
  running.add(child)
  child.on('close', () => running.delete(child))
}

/**
 * A folder of this run, made below `parent`; gone when the run ends, however it is interrupted. What a run left behind
 * that was killed outright is removed by the next one.
 */
export function runFolder(parent: string): string {
  mkdirSync(parent, { recursive: true })
  for (const name of readdirSync(parent)) {
    const pid = /^run-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(parent, name), { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(parent, `run-${process.pid}-`))
  folders.add(folder)
  return folder
}

/** Starts a server and waits until `readyUrl` answers with 200. */
export async function startProgram(
  binary: string,
  args: readonly string[],
  readyUrl: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Program> {
  const child = spawn(binary, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  endWithRun(child)
  let said = ''
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-4_000)
  })
  child.on('error', (error) => {
    said += error.message
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const close = async () => {
    child.kill('SIGTERM')
    const force = setTimeout(() => child.kill('SIGKILL'), CLOSE_LIMIT_MS)
    await ended
    clearTimeout(force)
  }
  const giveUpAt = Date.now() + READY_LIMIT_MS
  for (;;) {
    const ready = await fetch(readyUrl, { signal: AbortSignal.timeout(PROBE_LIMIT_MS) }).catch(() => null)
    if (ready?.ok === true && child.pid !== undefined) {
      const { pid } = child
      // A server that fell over, for want of memory say, is named instead of a file that is not there.
      const whileAlive = <T>(read: (pid: number) => T): T => {
        const { exitCode, signalCode } = child
        if (exitCode === null && signalCode === null) return read(pid)
        throw new Error(`${binary} has ended (${signalCode ?? exitCode}): ${said}`)
      }
      return {
        pid,
        close,
        cpuSeconds: () => whileAlive(cpuSecondsOf),
        mainThread: () => whileAlive(scheduledOf),
        peakBytes: () => whileAlive(peakBytesOf),
      }
    }
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined || Date.now() > giveUpAt) {
      await close()
      throw new Error(`${binary} does not serve ${readyUrl}:\n${said}`)
    }
    await sleep(50)
  }
}

/** Linux counts in hundredths of a second. */
const TICKS_PER_SECOND = 100

function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name may hold spaces; the numbers come after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** The thread that a process began with has its number. Fields as in sched-stats of the Linux kernel documentation. */
function scheduledOf(pid: number): Scheduled {
  const [ran = 0, waited = 0, turns = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number)
  return { ranSeconds: ran / 1e9, waitedSeconds: waited / 1e9, turns }
}

export function scheduledSince(before: Scheduled, now: Scheduled): Scheduled {
  return {
    ranSeconds: now.ranSeconds - before.ranSeconds,
    waitedSeconds: now.waitedSeconds - before.waitedSeconds,
    turns: now.turns - before.turns,
  }
}

function peakBytesOf(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1_024
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
