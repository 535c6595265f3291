import { parseArgs } from 'node:util'
import { type MeshSpec, meshHelp, parseMesh } from './mesh/catalog.ts'
import { SCENARIOS } from './scenarios/catalog.ts'

export interface Options {
  readonly scenario: string
  readonly culprit: string | undefined
  /** By cluster. */
  readonly meshes: Readonly<Record<string, MeshSpec>>
  readonly port: number
  readonly controlPort: number
  readonly prometheusPorts: readonly number[]
  readonly open: boolean
  readonly manual: boolean
  readonly server: boolean
  /** How often Goldseam asks, as its config has it. */
  readonly refresh: string
  /** `clusters`: the simulation alone, for Prometheus servers that run elsewhere. */
  readonly only: 'clusters' | null
  /** Of those servers, one a cluster; empty otherwise. */
  readonly prometheusUrls: readonly string[]
  /** Where they find what to scrape. */
  readonly targets: { readonly host: string; readonly port: number }
  readonly help: boolean
}

export type ParsedOptions = { ok: true; options: Options } | { ok: false; problem: string }

export const HELP = `npm run demo -- [options]

Brings up simulated clusters under real HTTP load, a real Prometheus for each, and Goldseam. Ctrl-C stops it all.

  --scenario NAME          the story to play: ${SCENARIOS.map(({ name }) => name).join(', ')} (default campus)
  --culprit NAME           who is slow: ${SCENARIOS[0]?.culprits.join(', ')} (default directory)
  --mesh CLUSTER=MESH@VERSION
                           what its proxies export, below; once for each cluster (default linkerd@2.17)
  --manual                 no timer: stay calm until told otherwise on the control page
  --port N                 Goldseam (default 8700)
  --control-port N         control page (default 8701)
  --prometheus-ports N,N   one per cluster (default 9091,9092)
  --refresh DURATION       how often Goldseam asks while somebody watches (default 5s)
  --no-open                do not open the browser
  --no-server              without Goldseam itself
  --only clusters          the simulated clusters alone, for Prometheus servers that run elsewhere, with:
  --prometheus-urls U,U    those servers, one per cluster; the past is written into them
  --targets HOST:PORT      what they scrape: http://HOST:PORT/targets/CLUSTER (default 127.0.0.1:8702)
  --help                   this text

PROMETHEUS_BIN=/path/to/prometheus uses that binary.

Meshes, their versions (the default first), and what can be added, as in west=linkerd@2.20+hostnames:

${meshHelp()}`

export function parseOptions(argv: readonly string[]): ParsedOptions {
  let values: ReturnType<typeof read>
  try {
    values = read(argv)
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) }
  }
  const entry = SCENARIOS.find(({ name }) => name === values.scenario)
  if (!entry) {
    const known = SCENARIOS.map(({ name }) => name).join(', ')
    return { ok: false, problem: `Unknown scenario '${values.scenario}'. Known: ${known}.` }
  }
  if (values.culprit !== undefined && !entry.culprits.includes(values.culprit)) {
    return { ok: false, problem: `Unknown culprit '${values.culprit}'. Known: ${entry.culprits.join(', ')}.` }
  }
  const meshes: Record<string, MeshSpec> = {}
  for (const text of values.mesh) {
    const mesh = parseMesh(text, entry.clusters)
    if (!mesh.ok) return mesh
    if (mesh.cluster in meshes) return { ok: false, problem: `--mesh '${text}': ${mesh.cluster} has one already.` }
    meshes[mesh.cluster] = mesh.spec
  }
  const port = portOf(values.port)
  const controlPort = portOf(values['control-port'])
  const prometheusPorts = values['prometheus-ports'].split(',').map(portOf)
  if (port === undefined) return { ok: false, problem: `--port '${values.port}' is not a port.` }
  if (controlPort === undefined) {
    return { ok: false, problem: `--control-port '${values['control-port']}' is not a port.` }
  }
  const scrapePorts = prometheusPorts.filter((candidate) => candidate !== undefined)
  if (scrapePorts.length !== 2 || prometheusPorts.length !== 2) {
    return {
      ok: false,
      problem: `--prometheus-ports '${values['prometheus-ports']}' is not two ports, as in 9091,9092.`,
    }
  }
  if (!/^\d+(ms|s|m)$/.test(values.refresh))
    return { ok: false, problem: `--refresh '${values.refresh}' is not like 5s.` }
  const all = [port, controlPort, ...scrapePorts]
  const elsewhere = elsewhereOf(values)
  if ('problem' in elsewhere) return { ok: false, problem: elsewhere.problem }
  const twice = all.find((one, i) => all.indexOf(one) !== i)
  if (twice !== undefined) return { ok: false, problem: `Port ${twice} is given twice.` }
  return {
    ok: true,
    options: {
      scenario: entry.name,
      culprit: values.culprit,
      meshes,
      port,
      controlPort,
      prometheusPorts: scrapePorts,
      open: !values['no-open'],
      manual: values.manual,
      server: !values['no-server'],
      refresh: values.refresh,
      ...elsewhere,
      help: values.help,
    },
  }
}

function elsewhereOf(
  values: ReturnType<typeof read>,
): Pick<Options, 'only' | 'prometheusUrls' | 'targets'> | { problem: string } {
  const { only, targets } = values
  if (only !== undefined && only !== 'clusters') return { problem: `--only '${only}' is not 'clusters'.` }
  const prometheusUrls = (values['prometheus-urls'] ?? '').split(',').filter((url) => url !== '')
  const wrong = prometheusUrls.find((url) => !/^https?:\/\/[^/]+$/.test(url))
  if (wrong !== undefined) return { problem: `--prometheus-urls: '${wrong}' is not like http://prometheus:9090.` }
  if ((only === 'clusters') !== (prometheusUrls.length === 2)) {
    return { problem: '--only clusters and two --prometheus-urls, one per cluster, go together.' }
  }
  const [, host = '', portText = ''] = /^(.+):(\d+)$/.exec(targets) ?? []
  const port = portOf(portText)
  if (port === undefined) return { problem: `--targets '${targets}' is not like 0.0.0.0:8702.` }
  return { only: only ?? null, prometheusUrls, targets: { host, port } }
}

function read(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    strict: true,
    allowPositionals: false,
    options: {
      scenario: { type: 'string', default: 'campus' },
      culprit: { type: 'string' },
      mesh: { type: 'string', multiple: true, default: [] },
      port: { type: 'string', default: '8700' },
      'control-port': { type: 'string', default: '8701' },
      'prometheus-ports': { type: 'string', default: '9091,9092' },
      'no-open': { type: 'boolean', default: false },
      manual: { type: 'boolean', default: false },
      only: { type: 'string' },
      'prometheus-urls': { type: 'string' },
      targets: { type: 'string', default: '127.0.0.1:8702' },
      refresh: { type: 'string', default: '5s' },
      'no-server': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  }).values
}

function portOf(text: string): number | undefined {
  const port = Number(text)
  return /^\d+$/.test(text) && port >= 1 && port <= 65_535 ? port : undefined
}
