/** `npm run rules -- [options]`: writes the recording rules, out of the questions that the dialects ask. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bootstrap, SetupError, withSetupErrors } from './bootstrap.mjs'
import { ROOT } from './paths.mjs'

const UNITS = { s: 1, m: 60, h: 3_600 }
/** Goldseam looks for what the rules declare once a minute: slower ones would seem to pause. */
const LONGEST_INTERVAL = 60
const HEAD = `# Made by \`npm run rules\` out of the questions that Goldseam asks; do not edit.
# Rates over a window are recorded, per workload and destination. Goldseam finds and reads them by itself.
`

const USAGE = `Writes the recording rules, out of the questions that Goldseam asks.

Usage: npm run rules -- [options]

  --window 1m     over which rates are taken; Goldseam reads the rules where its rate window is the same
  --fast 10s      how often rates and times are recorded
  --slow 30s      how often percentiles are recorded; at most ${LONGEST_INTERVAL} s, as --fast
  --peers A,B     the other clusters, as mirrored services carry them in their names
  --to FILE       where to write them (default: the file that is shipped, deploy/prometheus/rules/goldseam.yaml)
  --help          show this text
`

await withSetupErrors(main)

async function main() {
  const values = readOptions()
  if (values.help) {
    process.stdout.write(USAGE)
    return
  }
  const windowSeconds = seconds('--window', values.window, 86_400)
  const intervals = {
    fast: seconds('--fast', values.fast, LONGEST_INTERVAL),
    slow: seconds('--slow', values.slow, LONGEST_INTERVAL),
  }
  await bootstrap()
  const { dialects } = await import('../server/dist/dialects/registry.js')
  const { recordingGroups } = await import('../server/dist/dialects/recording.js')
  // npm goes to the root of the checkout first; a file is named from where one stands.
  const to = resolve(process.env.INIT_CWD ?? process.cwd(), values.to)
  const peers = values.peers.split(',').filter((name) => name !== '')
  const groups = dialects.flatMap((dialect) => recordingGroups(dialect, windowSeconds, intervals, peers))
  writeFileSync(to, `${HEAD}groups:\n${groups.map(groupText).join('')}`)
  process.stdout.write(`${groups.flatMap(({ rules }) => rules).length} rules in ${to}\n`)
}

function readOptions() {
  try {
    const options = {
      window: { type: 'string', default: '1m' },
      fast: { type: 'string', default: '10s' },
      slow: { type: 'string', default: '30s' },
      peers: { type: 'string', default: '' },
      to: { type: 'string', default: join(ROOT, 'deploy/prometheus/rules/goldseam.yaml') },
      help: { type: 'boolean', default: false },
    }
    return parseArgs({ options }).values
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${USAGE}`)
  }
}

function seconds(option, text, most) {
  const [, number, unit] = /^(\d+)([smh])$/.exec(text) ?? []
  const value = Number(number) * (UNITS[unit] ?? Number.NaN)
  if (value >= 1 && value <= most) return value
  throw new SetupError(`${option} '${text}' is not a duration such as 30s or 1m, of at most ${most} s.`)
}

/** YAML of a rule group. */
function groupText({ name, intervalSeconds, rules }) {
  const lines = rules.map(({ record, expr, labels }) => {
    const more = Object.entries(labels).map(([label, value]) => `          ${label}: ${JSON.stringify(value)}\n`)
    return `      - record: ${record}\n        expr: '${expr.replaceAll("'", "''")}'\n        labels:\n${more.join('')}`
  })
  return `  - name: ${name}\n    interval: ${intervalSeconds}s\n    rules:\n${lines.join('')}`
}
