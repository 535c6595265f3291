import { execFile } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../../../scripts/free-ports.mjs'
import type { StorePrograms } from './find-stores.ts'
import { environmentOf, type StoreServer, type StoreTls, startServer } from './store-server.ts'

const run = promisify(execFile)
const USER = 'goldseam'
const PASSWORD = 'postgres-secret-4Kw'
/** `nobody` on Debian and most others: Postgres refuses to run as root. */
const NOBODY = 65_534

/** A real Postgres with one user, who has a password; with a certificate it takes TLS too. */
export async function startPostgres(
  installed: StorePrograms,
  tls: StoreTls | null = null,
): Promise<StoreServer & { query: Query }> {
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-postgres-'))
  const isRoot = process.getuid?.() === 0
  const owner = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const programs = isRoot ? reachable(installed, folder) : installed
  const [data, passwordFile] = [join(folder, 'data'), join(folder, 'password')]
  const [certFile, keyFile] = [join(folder, 'server.pem'), join(folder, 'server.key')]
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(passwordFile, `${PASSWORD}\n`)
  if (isRoot) for (const path of [folder, data, passwordFile]) chownSync(path, NOBODY, NOBODY)
  const env = environmentOf(programs)
  const options = { cwd: folder, env, ...owner }
  const how = [
    '--username',
    USER,
    '--pwfile',
    passwordFile,
    '--auth',
    'scram-sha-256',
    '--encoding',
    'UTF8',
    '--no-sync',
  ]
  await run(join(programs.folder, 'initdb'), ['--pgdata', data, ...how], options)
  const port = await freePort()
  if (tls !== null) {
    // It takes no key that others may read.
    for (const [from, to] of [
      [tls.certFile, certFile],
      [tls.keyFile, keyFile],
    ] as const) {
      copyFileSync(from, to)
      chmodSync(to, 0o600)
      if (isRoot) chownSync(to, NOBODY, NOBODY)
    }
  }
  const encrypted = tls === null ? {} : { ssl: 'on', ssl_cert_file: certFile, ssl_key_file: keyFile }
  const settings = {
    ...encrypted,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    log_timezone: 'UTC',
  }
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const query: Query = async (sql, values = []) => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: USER, password: PASSWORD, database: 'postgres' })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(sql, [...values])).rows
    } finally {
      await client.end()
    }
  }
  const isReady = () =>
    query('SELECT 1').then(
      () => true,
      () => false,
    )
  const start = () => startServer(join(programs.folder, 'postgres'), args, options, isReady)
  let running = await start()
  return {
    port,
    url: `postgres://${USER}@127.0.0.1:${port}/postgres`,
    password: PASSWORD,
    query,
    kill: () => running.kill(),
    async start() {
      running = await start()
    },
    pause: () => running.pause(),
    resume: () => running.resume(),
    async connections() {
      const [row] = await query(
        `SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = 'goldseam'`,
      )
      return row?.open as number
    },
    async close() {
      await running.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Query = (sql: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>

/** Below root's home nobody else may run programs: what was unpacked there is copied to where they may. */
function reachable({ folder, unpacked }: StorePrograms, place: string): StorePrograms {
  if (unpacked === null) return { folder, unpacked }
  const copy = join(place, 'programs')
  cpSync(unpacked, copy, { recursive: true, verbatimSymlinks: true })
  return { folder: join(copy, relative(unpacked, folder)), unpacked: copy }
}
