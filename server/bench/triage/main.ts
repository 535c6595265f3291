import { parseArgs } from 'node:util'
import type { HealthyDay } from './healthy.ts'
import { type Job, type Result, workOff } from './jobs.ts'
import type { Outcome } from './judge-incident.ts'
import { healthyTable, incidentTable, machine, speedTable } from './report.ts'
import { Results } from './results.ts'
import { KINDS, type Kind } from './sim/draw-incident.ts'
import { measureSpeed } from './speed.ts'

const USAGE = `Holds Goldseam's verdicts against simulated incidents whose culprits are known.

Usage: npm run bench:triage -- [options]

  --each N        incidents of each kind (default 150; 8 with --quick)
  --first SEED    seeds are tried from here on (default 1001: 1-999 are what thresholds are tuned on)
  --kinds A,B     only these kinds: ${KINDS.join(', ')}
  --only A,B      of: incidents, healthy, speed; default: all
  --worlds N      healthy worlds (default 5; 1 with --quick)
  --days N        simulated days of each (default 7; 1 with --quick)
  --threads N     how many threads compute (default 1)
  --table         compute nothing: print what is known of this build (outcomes are kept as they come in, and a run
                  that was stopped goes on where it was)
  --results FILE  keep outcomes there, and go on from what is there, whatever build wrote it
  --misses        print each incident whose verdict was wrong
  --quick         a taste in a minute or two
  --help          show this text
`

const PARTS = ['incidents', 'healthy', 'speed']

/** Gives the exit code: 1 where a figure to reach is missed. */
export async function runTriageBench(argv: readonly string[]): Promise<number> {
  const say = (text: string) => void process.stdout.write(text)
  const options = readOptions(argv)
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n\n${USAGE}`)
    return 2
  }
  if (options.help) {
    say(USAGE)
    return 0
  }
  say(`${machine()}\n\`npm run bench:triage ${argv.length > 0 ? `-- ${argv.join(' ')}` : ''}\`\n`)
  const met: boolean[] = []
  const tell = ({ text, reached }: { text: string; reached: boolean }) => {
    met.push(reached)
    say(`\n${text}`)
  }
  if (options.parts.includes('speed') && !options.table) tell(speedTable(measureSpeed()))
  const results = new Results(options.results)
  say(`\noutcomes: ${results.file}\n`)
  if (options.parts.includes('incidents')) tell(incidentTable(await incidents(options, results)))
  if (options.parts.includes('healthy')) tell(healthyTable(await healthy(options, results), options))
  return met.every(Boolean) ? 0 : 1
}

interface Options {
  readonly each: number
  readonly first: number
  readonly kinds: readonly Kind[]
  readonly parts: readonly string[]
  readonly worlds: number
  readonly days: number
  readonly threads: number
  readonly misses: boolean
  readonly table: boolean
  readonly results: string | null
  readonly help: boolean
}

function readOptions(argv: readonly string[]): Options | string {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        each: text,
        first: text,
        kinds: text,
        only: text,
        worlds: text,
        days: text,
        threads: text,
        results: text,
        misses: flag,
        table: flag,
        quick: flag,
        help: flag,
      },
    })
    const { quick, misses, table, help } = values
    const kinds = values.kinds?.split(',') ?? KINDS
    const parts = values.only?.split(',') ?? PARTS
    const unknown = [
      ...kinds.filter((kind) => !KINDS.includes(kind as Kind)),
      ...parts.filter((part) => !PARTS.includes(part)),
    ]
    if (unknown.length > 0) return `unknown: ${unknown.join(', ')}`
    const numbers = {
      each: Number(values.each ?? (quick ? 8 : 150)),
      first: Number(values.first ?? 1_001),
      worlds: Number(values.worlds ?? (quick ? 1 : 5)),
      days: Number(values.days ?? (quick ? 1 : 7)),
      threads: Number(values.threads ?? 1),
    }
    const odd = Object.entries(numbers).find(([, value]) => !Number.isInteger(value) || value < 1)
    if (odd !== undefined) return `--${odd[0]} is a whole number from 1 on`
    return { ...numbers, kinds: kinds as readonly Kind[], parts, misses, table, results: values.results ?? null, help }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Seeds in order, for each kind until enough of them had a place for it, the kinds in turn; the same whatever the
 * number of threads.
 */
async function incidents(
  { kinds, each, first, threads, misses, table }: Options,
  results: Results,
): Promise<Outcome[]> {
  const found = new Map<Kind, Map<number, Outcome | null>>(kinds.map((kind) => [kind, new Map()]))
  const asked = new Map<Kind, number>(kinds.map((kind) => [kind, first]))
  const counts = new Map<Kind, number>(kinds.map((kind) => [kind, 0]))
  const counted = (kind: Kind) => counts.get(kind) as number
  const take = (kind: Kind, seed: number, outcome: Outcome | null) => {
    found.get(kind)?.set(seed, outcome)
    if (outcome !== null) counts.set(kind, counted(kind) + 1)
  }
  const finished = new Set<Kind>()
  const next = (): Job | undefined => {
    for (;;) {
      const [kind] = kinds
        .filter((one) => counted(one) < each && !finished.has(one))
        .sort((a, b) => counted(a) - counted(b) || kinds.indexOf(a) - kinds.indexOf(b))
      if (kind === undefined) return undefined
      const seed = asked.get(kind) as number
      asked.set(kind, seed + 1)
      const job: Job = { what: 'incident', kind, seed }
      const known = results.of(job)
      if (known?.what === 'incident') take(kind, seed, known.outcome)
      else if (table) finished.add(kind)
      else return job
    }
  }
  await workOff(threads, next, (job: Job, result: Result) => {
    if (job.what !== 'incident' || result.what !== 'incident') return
    results.keep(job, result)
    take(job.kind, job.seed, result.outcome)
  })
  const outcomes = kinds.flatMap((kind) =>
    [...(found.get(kind) ?? [])]
      .sort(([a], [b]) => a - b)
      .flatMap(([, outcome]) => outcome ?? [])
      .slice(0, each),
  )
  for (const { kind, seed, right, culprits, text, strongOnWrong } of misses ? outcomes : []) {
    if (!right || strongOnWrong)
      process.stdout.write(`${kind} ${seed}: not ${culprits.flat().slice(0, 3).join(' or ')} but: ${text}\n`)
  }
  return outcomes
}

/** Day by day, so that a week that was stopped goes on with the day it was in. */
async function healthy({ worlds, days, first, threads, table }: Options, results: Results): Promise<HealthyDay[]> {
  const outcomes: HealthyDay[] = []
  const jobs = Array.from({ length: worlds * days }, (_, at): Job => {
    return { what: 'healthy', seed: first + Math.floor(at / days), days, day: at % days }
  }).filter((job) => {
    const known = results.of(job)
    if (known?.what === 'healthy') outcomes.push(known.outcome)
    return known === undefined && !table
  })
  await workOff(
    threads,
    () => jobs.shift(),
    (job, result) => {
      results.keep(job, result)
      if (result.what === 'healthy') outcomes.push(result.outcome)
    },
  )
  return outcomes.sort((a, b) => a.seed - b.seed || a.day - b.day)
}
