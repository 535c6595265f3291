import pg from 'pg'
import type { KeptStore } from './kept-store.ts'
import type { ServerPlace } from './store-place.ts'

const TABLE = 'goldseam_links'
const CREATE = `CREATE TABLE IF NOT EXISTS ${TABLE} (key text PRIMARY KEY, value text NOT NULL)`
const NO_SUCH_TABLE = '42P01'
/** Two servers that make the table at the same moment: one of them is told one of these. */
const MADE_MEANWHILE = ['23505', '42710', '42P07']
const TIMEOUT_MS = 2_000
/** Of each Goldseam: links are few, and databases have few connections to give. */
const MOST_CONNECTIONS = 4

/** One row an entry in Postgres. Connections are made when needed; the table is made when it is found missing. */
export function postgresStore({ host, port, database, username, password, tls }: ServerPlace): KeptStore {
  // Every new connection takes what stands here at that moment.
  const ssl: { ca?: string } = {}
  const pool = new pg.Pool({
    host,
    port: port ?? 5_432,
    database,
    // The config is the only source: without these, pg would look into PGUSER, PGPASSWORD, PGSSLMODE and ~/.pgpass.
    user: username ?? '',
    password: password ?? (async () => ''),
    ssl: tls === null ? false : ssl,
    application_name: 'goldseam',
    max: MOST_CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  // Without a listener the process would end when a connection that nobody uses breaks. The pool drops it by itself.
  pool.on('error', () => undefined)

  async function ask(sql: string, values: unknown[]): Promise<pg.QueryResult> {
    if (tls?.ca) ssl.ca = await tls.ca()
    try {
      return await pool.query(sql, values)
    } catch (error) {
      if (codeOf(error) !== NO_SUCH_TABLE) throw error
      await createTable()
      return pool.query(sql, values)
    }
  }

  async function createTable(): Promise<void> {
    try {
      await pool.query(CREATE)
    } catch (error) {
      if (!MADE_MEANWHILE.includes(codeOf(error))) throw error
    }
  }

  return {
    async get(key) {
      const { rows } = await ask(`SELECT value FROM ${TABLE} WHERE key = $1`, [key])
      return rows[0]?.value
    },
    async set(key, value) {
      const put = `INSERT INTO ${TABLE} (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value`
      await ask(put, [key, value])
    },
    async add(key, value) {
      const put = `INSERT INTO ${TABLE} (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING`
      return (await ask(put, [key, value])).rowCount === 1
    },
    async delete(key) {
      await ask(`DELETE FROM ${TABLE} WHERE key = $1`, [key])
    },
    async holds(count) {
      const { rows } = await ask(`SELECT count(*)::int AS found FROM (SELECT FROM ${TABLE} LIMIT $1) AS bounded`, [
        count,
      ])
      return rows[0].found >= count
    },
    async keys(most) {
      const { rows } = await ask(`SELECT key FROM ${TABLE} LIMIT $1`, [most])
      return rows.map(({ key }) => String(key))
    },
    // Each connection has its own time limits, after which the pool drops it.
    reset: () => undefined,
    close: () => pool.end(),
  }
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? ''
}
