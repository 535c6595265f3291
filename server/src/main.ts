// First of all: what is loaded after it takes a while, in which a signal may come.
import './stop-signals.ts'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compose, metricsRead } from './compose.ts'
import { isLoopback, type Listen } from './config/listen.ts'
import { type LoadedConfig, loadConfig } from './config/load-config.ts'
import { onStop } from './stop-signals.ts'
import { type Outcome, TOKEN_USAGE, tokenCommand, type WallsOptions, wallsCommand } from './token-commands.ts'

const USAGE = `Goldseam: golden signals and service edges over several clusters in one picture.

Usage: npm start -- [--config FILE]

  --config FILE   the YAML file to read; default: $GOLDSEAM_CONFIG, ./goldseam.yaml, /etc/goldseam/goldseam.yaml
  --help          show this text
  --version       show the version

${TOKEN_USAGE}
Every option of the file is in deploy/goldseam.example.yaml. To try Goldseam without any cluster: npm run demo
`

const NO_CONFIG = `To see Goldseam at work without any cluster of your own:  npm run demo

For your own clusters, write a goldseam.yaml and start again:

  clusters:
    - name: east
      endpoints: [{ url: http://prometheus.east.example.com:9090 }]
    - name: west
      endpoints: [{ url: http://prometheus.west.example.com:9090 }]

Every option is in deploy/goldseam.example.yaml.
`

/** EX_CONFIG of sysexits.h: a supervisor need not try again. */
const EXIT_CONFIG = 78
const EXIT_USAGE = 2

/** How long requests may still run once it was asked to stop. */
const DEADLINE_MS = 5_000

const CLOSE_IDLE_MS = 100

/** How long a balancer gets to see the 503 of /readyz. On loopback there is none. */
const DRAIN_MS = 2_000

const VERSION = String(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version)

process.exitCode = await main()

/** The exit code when there is nothing to serve; undefined while serving. */
async function main(): Promise<number | undefined> {
  const args = readArgs()
  if (args === null) return EXIT_USAGE
  if (args.help) return say(USAGE)
  if (args.version) return say(`${VERSION}\n`)
  const [command, ...rest] = args.command
  if (command === 'token') return report(tokenCommand(rest))
  const environment = process.env.GOLDSEAM_CONFIG
  const places = {
    argument: args.config,
    environment: environment === undefined || environment === '' ? null : environment,
    // npm changes into the package's directory; people mean the one they typed the command in.
    directory: process.env.INIT_CWD ?? process.cwd(),
  }
  const result = await loadConfig(places, metricsRead())
  switch (result.state) {
    case 'none':
      complain(`No configuration found. Looked for: ${result.looked.join(', ')}\n\n${NO_CONFIG}`)
      return EXIT_CONFIG
    case 'invalid':
      complain(`${result.errors.join('\n')}\n`)
      return EXIT_CONFIG
    case 'loaded':
      if (command === 'walls') return report(wallsCommand(rest, args, result.loaded, new Date().toISOString()))
      return serve(result.loaded)
    default:
      return result satisfies never
  }
}

async function serve(loaded: LoadedConfig): Promise<number | undefined> {
  const { listen, clusters } = loaded.config
  let ready = true
  const composed = await compose(loaded, {
    isReady: () => ready,
    webDir: fileURLToPath(new URL('../../web/dist', import.meta.url)),
    build: VERSION,
  })
  const server = createServer(composed.app)
  // Longer than balancers keep idle connections, so that they and not Goldseam close them.
  server.keepAliveTimeout = 65_000
  // Browsers open spare connections, which Node takes for busy ones until a first request has come over them.
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const failure = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    server.once('error', resolve)
    server.listen(listen.port, listen.host, () => resolve(null))
  })
  if (failure !== null) {
    complain(`${listenAdvice(failure, listen)}\n`)
    await composed.close()
    return 1
  }
  const { port } = server.address() as AddressInfo
  const names = clusters.map(({ name }) => name).join(', ')
  say(
    `Goldseam ${VERSION} serves http://${urlHost(listen.host)}:${port} (clusters: ${names}; config: ${loaded.file})\n`,
  )

  let stopping = false
  const stop = (signal: NodeJS.Signals) => {
    // Ctrl-C often comes twice, from the terminal and from npm; the deadline below ends it in any case.
    if (stopping) return
    stopping = true
    ready = false
    composed.logger.info({ signal }, 'stopping')
    setTimeout(() => void finish(), isLoopback(listen.host) ? 0 : DRAIN_MS)
  }
  const finish = async () => {
    // What still runs is cut off at the deadline; each cut fires the abort signal of its request.
    const deadline = setTimeout(() => {
      composed.logger.warn({ afterMs: DEADLINE_MS }, 'requests that still ran were cut off')
      server.closeAllConnections()
    }, DEADLINE_MS)
    // Whoever has got the last answer, as a wall whose stream ended, keeps the connection for a next question.
    const idle = setInterval(() => {
      server.closeIdleConnections()
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    }, CLOSE_IDLE_MS)
    await new Promise((resolve) => server.close(resolve))
    clearInterval(idle)
    clearTimeout(deadline)
    setTimeout(() => process.exit(1), DEADLINE_MS).unref()
    await composed.close()
    process.exit(0)
  }
  onStop(stop)
  return undefined
}

interface Args extends WallsOptions {
  readonly config: string | null
  readonly help: boolean
  readonly version: boolean
  readonly command: readonly string[]
}

function readArgs(): Args | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        config: { type: 'string' },
        clusters: { type: 'string' },
        namespaces: { type: 'string' },
        help: { type: 'boolean' },
        version: { type: 'boolean' },
      },
    })
    const [command] = positionals
    if (command !== undefined && command !== 'token' && command !== 'walls')
      throw new Error(`unknown command ${command}`)
    const { config = null, clusters = null, namespaces = null, help, version } = values
    if (command !== 'walls' && (clusters ?? namespaces) !== null)
      throw new Error('--clusters and --namespaces belong to walls add')
    return { config, clusters, namespaces, help: help === true, version: version === true, command: positionals }
  } catch (error) {
    complain(`${(error as Error).message}\n\n${USAGE}`)
    return null
  }
}

function listenAdvice({ code, message }: NodeJS.ErrnoException, { host, port }: Listen): string {
  const place = `${urlHost(host)}:${port}`
  switch (code) {
    case 'EADDRINUSE':
      return `${place} is in use by another program. Stop it, or set another port in the config: listen: ${urlHost(host)}:${port + 1}`
    case 'EACCES':
      return `this user may not listen on ${place}. Ports below 1024 need rights; set a higher port in the config (listen).`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Set one that is in the config, for instance listen: 127.0.0.1:${port}`
    default:
      return `cannot listen on ${place}: ${message}`
  }
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

function report({ code, out, error }: Outcome): number {
  say(out)
  complain(error)
  return code
}

function say(text: string): 0 {
  process.stdout.write(text)
  return 0
}

function complain(text: string): void {
  process.stderr.write(text)
}
