import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../../../scripts/free-ports.mjs'
import type { StorePrograms } from './find-stores.ts'
import { environmentOf, type StoreServer, type StoreTls, startServer } from './store-server.ts'

const PASSWORD = 'redis-secret-7Qz'

/** A real Redis that wants a password and hands what it is told to the system before it answers: it survives its own end. */
export async function startRedis(
  programs: StorePrograms,
  tls: StoreTls | null = null,
): Promise<StoreServer & { readonly tlsPort: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-redis-'))
  const [port = 0, tlsPort = 0] = await freePorts(2)
  const kept = ['--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'no']
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--requirepass', PASSWORD, ...kept]
  if (tls !== null) {
    const files = ['--tls-cert-file', tls.certFile, '--tls-key-file', tls.keyFile]
    args.push('--tls-port', String(tlsPort), '--tls-auth-clients', 'no', ...files)
  }
  const env = environmentOf(programs)
  const start = () =>
    startServer(join(programs.folder, 'redis-server'), args, { cwd: folder, env }, () => answersPing(port))
  let run = await start()
  return {
    port,
    url: `redis://127.0.0.1:${port}/1`,
    tlsPort,
    password: PASSWORD,
    kill: () => run.kill(),
    async start() {
      run = await start()
    },
    pause: () => run.pause(),
    resume: () => run.resume(),
    async connections() {
      // The one that asks is not one of them.
      return ((await ask(port, 'CLIENT LIST')).match(/^(?:\$\d+\r\n)?id=/gm)?.length ?? 0) - 1
    },
    async close() {
      await run.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** It answers, and is not still reading what it had written down. */
function answersPing(port: number): Promise<boolean> {
  return ask(port, 'PING').then(
    (said) => said.includes('+PONG'),
    () => false,
  )
}

/** All that Redis says to one command, before it hangs up. */
function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`AUTH ${PASSWORD}\r\n${command}\r\nQUIT\r\n`))
    let said = ''
    socket.on('data', (text) => {
      said += text
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(said))
  })
}
