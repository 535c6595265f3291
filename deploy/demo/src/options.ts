import { parseArgs } from 'node:util'
import { SCENARIOS } from './scenarios/catalog.ts'

export interface Options {
  readonly scenario: string
  readonly culprit: string | undefined
  readonly port: number
  readonly controlPort: number
  readonly prometheusPorts: readonly number[]
  readonly open: boolean
  readonly manual: boolean
  readonly server: boolean
  readonly help: boolean
}

export type ParsedOptions = { ok: true; options: Options } | { ok: false; problem: string }

export const HELP = `npm run demo -- [options]

Brings up simulated clusters under real HTTP load, a real Prometheus for each, and Goldseam. Ctrl-C stops it all.

  --scenario NAME          the story to play: ${SCENARIOS.map(({ name }) => name).join(', ')} (default campus)
  --culprit NAME           who is slow: ${SCENARIOS[0]?.culprits.join(', ')} (default directory)
  --manual                 no timer: stay calm until told otherwise on the control page
  --port N                 Goldseam (default 8700)
  --control-port N         control page (default 8701)
  --prometheus-ports N,N   one per cluster (default 9091,9092)
  --no-open                do not open the browser
  --no-server              without Goldseam itself
  --help                   this text

PROMETHEUS_BIN=/path/to/prometheus uses that binary.`

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
  const all = [port, controlPort, ...scrapePorts]
  const twice = all.find((one, i) => all.indexOf(one) !== i)
  if (twice !== undefined) return { ok: false, problem: `Port ${twice} is given twice.` }
  return {
    ok: true,
    options: {
      scenario: entry.name,
      culprit: values.culprit,
      port,
      controlPort,
      prometheusPorts: scrapePorts,
      open: !values['no-open'],
      manual: values.manual,
      server: !values['no-server'],
      help: values.help,
    },
  }
}

function read(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    strict: true,
    allowPositionals: false,
    options: {
      scenario: { type: 'string', default: 'campus' },
      culprit: { type: 'string' },
      port: { type: 'string', default: '8700' },
      'control-port': { type: 'string', default: '8701' },
      'prometheus-ports': { type: 'string', default: '9091,9092' },
      'no-open': { type: 'boolean', default: false },
      manual: { type: 'boolean', default: false },
      'no-server': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  }).values
}

function portOf(text: string): number | undefined {
  const port = Number(text)
  return /^\d+$/.test(text) && port >= 1 && port <= 65_535 ? port : undefined
}
