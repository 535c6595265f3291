import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createAgent } from './ask.ts'
import type { Bench } from './bench.ts'
import { measureCold } from './cold.ts'
import { measureDashboard } from './dashboard.ts'
import { findEngines } from './find-engines.ts'
import { Report } from './report.ts'
import { measureRules } from './rules.ts'
import { startPrometheusFleet } from './servers.ts'
import { measureSteady } from './steady.ts'
import { measureThanos } from './thanos.ts'
import { measureViewers, measureWarm } from './viewers.ts'
import { CACHE, provideWorld, SIZES } from './world.ts'

const USAGE = `Measures Goldseam against real Prometheus servers, Thanos Query and the queries of Linkerd's dashboard.

Usage: npm run bench -- [options]

  --size NAME     small, medium or large (default medium; small with --quick)
  --pairs N       how often each of a pair is measured (default 30; 6 with --quick)
  --only A,B      of: cold, thanos, dashboard, warm, viewers, steady, rules; default: all
  --steady N      seconds of each half of "steady" (default 300; 20 with --quick)
  --quick         a first impression in about two minutes: a small world, few pairs, no rules
  --server FILE   the built server to measure (default: server/dist/main.js)
  --profile DIR   write CPU profiles of the server there
  --help          show this text

Needs Linux, Go (for the generator of blocks) and the engines (npm run setup:engines).
`

const SECONDS_A_MEASURE = 600

const MEASURES: Record<string, (bench: Bench) => Promise<void>> = {
  cold: measureCold,
  thanos: measureThanos,
  dashboard: measureDashboard,
  warm: measureWarm,
  viewers: measureViewers,
  steady: measureSteady,
  rules: measureRules,
}

/** `root`: of the repository. Gives the exit code. */
export async function runBench(root: string, argv: readonly string[]): Promise<number> {
  const say = (text: string) => void process.stderr.write(text)
  const options = readOptions(argv)
  if ('error' in options) {
    say(`${options.error}\n\n${USAGE}`)
    return 2
  }
  if (options.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const engines = findEngines(process.env)
  if ('missing' in engines) {
    say(`Not here: ${engines.missing.join(', ')}. npm run setup:engines builds what is missing.\n`)
    return 1
  }
  const world = await provideWorld(options.size, {
    engines: join(root, 'deploy/engines/prometheus'),
    neededSeconds: options.only.length * SECONDS_A_MEASURE,
    say,
  })
  const fleet = await startPrometheusFleet(engines.prometheus, world)
  const report = new Report(say)
  const agent = createAgent()
  try {
    const bench: Bench = {
      world,
      fleet,
      ...engines,
      main: options.server ?? join(root, 'server/dist/main.js'),
      example: join(root, 'deploy/goldseam.example.yaml'),
      rulesScript: join(root, 'scripts/recording-rules.mjs'),
      agent,
      report,
      say,
      ...options,
    }
    for (const name of options.only) await MEASURES[name]?.(bench)
  } finally {
    agent.destroy()
    await fleet.close()
  }
  const command = ['npm run bench', ...(argv.length === 0 ? [] : ['--', ...argv])].join(' ')
  process.stdout.write(`\n${report.text(world, command)}`)
  mkdirSync(CACHE, { recursive: true })
  const file = join(CACHE, `results-${world.size.name}.json`)
  writeFileSync(file, `${JSON.stringify(report.json(world, command), null, 2)}\n`)
  say(`\nAll numbers: ${file}\n`)
  return 0
}

function readOptions(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        size: { type: 'string' },
        pairs: { type: 'string' },
        only: { type: 'string' },
        steady: { type: 'string' },
        profile: { type: 'string' },
        server: { type: 'string' },
        quick: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    const { quick, help } = values
    const named = values.size ?? (quick ? 'small' : 'medium')
    const size = Object.entries(SIZES).find(([name]) => name === named)?.[1]
    if (size === undefined) return { error: `There is no size ${named}; there are ${Object.keys(SIZES).join(', ')}.` }
    const only = values.only?.split(',') ?? Object.keys(MEASURES).filter((name) => !quick || name !== 'rules')
    const unknown = only.find((name) => !(name in MEASURES))
    if (unknown !== undefined)
      return { error: `There is no ${unknown}; there are ${Object.keys(MEASURES).join(', ')}.` }
    const pairs = Number(values.pairs ?? (quick ? 6 : 30))
    const steadySeconds = Number(values.steady ?? (quick ? 20 : 300))
    if (!(pairs >= 2 && steadySeconds >= 20)) return { error: '--pairs wants 2 or more, --steady 20 or more.' }
    return { size, help, only, pairs, steadySeconds, profileFolder: values.profile ?? null, server: values.server }
  } catch (error) {
    return { error: (error as Error).message }
  }
}
