import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createAgent } from './ask.ts'
import type { Bench } from './bench.ts'
import { measureCold } from './cold.ts'
import { measureDashboard } from './dashboard.ts'
import { findEngines } from './find-engines.ts'
import { Report } from './report.ts'
import { measureRules } from './rules.ts'
import { type PrometheusFleet, startPrometheusFleet } from './servers.ts'
import { measureSteady } from './steady.ts'
import { measureThanos } from './thanos.ts'
import { inMegabytes } from './units.ts'
import { measureViewers, measureWarm } from './viewers.ts'
import { type BenchWorld, CACHE, provideWorld, SIZES } from './world.ts'

const USAGE = `Measures Goldseam against real Prometheus servers, Thanos Query and the queries of Linkerd's dashboard.

Usage: npm run bench -- [options]

  --size NAME     small, medium or large (default medium; small with --quick)
  --pairs N       how often each of a pair is measured at most (default 30; 6 with --quick and in the large world)
  --minutes N     no further round of pairs is begun so long after the first (default 15)
  --only A,B      of: cold, thanos, dashboard, warm, viewers, steady, rules; default: all
  --steady N      seconds of each half of "steady" (default 300; 120 in the large world; 20 with --quick)
  --quick         a first impression in some eight minutes: a small world, few pairs, no rules
  --server FILE   the built server to measure (default: server/dist/main.js)
  --profile DIR   write CPU profiles of the server there
  --help          show this text

What fails is named in the report, the rest is measured all the same, and the exit code is 1.

Needs Linux, Go (for the generator of blocks) and the engines (npm run setup:engines).
`

/** What one may take on a slow machine. */
const SECONDS_A_MEASURE = { small: 600, medium: 600, large: 1_200 }
/** To record answers and to read the past of two large worlds at once. */
const SECONDS_OF_LARGE_RULES = 3_000

/** So that a run of everything ends before the samples of its world do, on a slow machine too. */
const DEFAULT_LIMIT_SECONDS = 900

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
  const { size, only } = options
  const longerSeconds = options.limitSeconds - DEFAULT_LIMIT_SECONDS
  const secondsOf = (measure: string) =>
    longerSeconds +
    (measure === 'rules' && size.name === 'large' ? SECONDS_OF_LARGE_RULES : SECONDS_A_MEASURE[size.name])
  const stageFor = async (measures: readonly string[]) => {
    const neededSeconds = measures.reduce((sum, measure) => sum + secondsOf(measure), 0)
    const world = await provideWorld(size, { engines: join(root, 'deploy/engines/prometheus'), neededSeconds, say })
    return { world, fleet: await startPrometheusFleet(engines.prometheus, world) }
  }
  let stage = await stageFor(only)
  const report = new Report(say)
  const agent = createAgent()
  const command = ['npm run bench', ...(argv.length === 0 ? [] : ['--', ...argv])].join(' ')
  const file = join(CACHE, `results-${size.name}.json`)
  const keep = () => writeFileSync(file, `${JSON.stringify(report.json(stage.world, command), null, 2)}\n`)
  const common = {
    ...engines,
    main: options.server ?? join(root, 'server/dist/main.js'),
    example: join(root, 'deploy/goldseam.example.yaml'),
    rulesScript: join(root, 'scripts/recording-rules.mjs'),
    agent,
    report,
    say,
    ...options,
  }
  const peaks: (Peaks | null)[] = []
  try {
    for (const [index, name] of only.entries()) {
      // What one measure cannot do is no reason to lose the others.
      try {
        if (secondsLeft(stage.world) < secondsOf(name) || peaksOf(stage.fleet) === null) {
          say('the samples of the world end soon, or one of its servers has ended: anew\n')
          await stage.fleet.close()
          stage = await stageFor(only.slice(index))
        }
        await MEASURES[name]?.({ ...common, ...stage })
        if (secondsLeft(stage.world) < 0) throw new Error('the samples of the world ended before this did')
      } catch (error) {
        report.failed(name, error)
      }
      // Each time, so that what there is stays when the run is ended from outside.
      keep()
      peaks.push(peaksOf(stage.fleet))
    }
    reportMemory(report, peaks)
    keep()
    process.stdout.write(`\n${report.text(stage.world, command)}`)
    say(`\nAll numbers: ${file}\n`)
  } finally {
    agent.destroy()
    await stage.fleet.close()
  }
  return report.hasFailures ? 1 : 0
}

const secondsLeft = ({ toSeconds }: BenchWorld) => toSeconds - Date.now() / 1_000

type Peaks = ReturnType<PrometheusFleet['peakBytes']>

/** Null where a server has ended. */
function peaksOf(fleet: PrometheusFleet): Peaks | null {
  try {
    return fleet.peakBytes()
  } catch {
    return null
  }
}

/** Over all measures: of one it cannot be told, because what was taken once is hardly ever given back. */
function reportMemory(report: Report, peaks: readonly (Peaks | null)[]): void {
  const most = (of: (one: Peaks) => number) => Math.max(...peaks.map((one) => (one === null ? 0 : of(one))))
  const [largest, together] = [most((one) => one.largest), most((one) => one.together)]
  report.add('peak RSS of the largest Prometheus, whole run', largest / 1e6, inMegabytes(largest))
  report.add('... of all together at most', together / 1e6, inMegabytes(together))
}

function readOptions(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        size: { type: 'string' },
        pairs: { type: 'string' },
        minutes: { type: 'string' },
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
    const isLarge = size.name === 'large'
    const pairs = Number(values.pairs ?? (quick || isLarge ? 6 : 30))
    const steadySeconds = Number(values.steady ?? (quick ? 20 : isLarge ? 120 : 300))
    if (!(pairs >= 2 && steadySeconds >= 20)) return { error: '--pairs wants 2 or more, --steady 20 or more.' }
    const minutes = Number(values.minutes ?? DEFAULT_LIMIT_SECONDS / 60)
    if (!(minutes >= 1 && minutes <= 60)) return { error: '--minutes wants 1 to 60.' }
    return {
      size,
      help,
      only,
      pairs,
      limitSeconds: minutes * 60,
      steadySeconds,
      profileFolder: values.profile ?? null,
      server: values.server,
    }
  } catch (error) {
    return { error: (error as Error).message }
  }
}
