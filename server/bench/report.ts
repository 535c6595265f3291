import { cpus, loadavg } from 'node:os'
import { median, quantile, type Ratio } from './statistics.ts'
import { counted, inMilliseconds, number } from './units.ts'
import type { BenchWorld } from './world.ts'

export interface Row {
  readonly what: string
  readonly measured: string
  /** As in the list of figures to reach; empty where there is none. */
  readonly target: string
  readonly met: boolean | null
  /** Nothing was measured; why, is what was measured. */
  readonly failed: boolean
  /** The numbers behind it. */
  readonly numbers: unknown
}

export interface Goal {
  readonly atMost?: number
  readonly atLeast?: number
}

/** By round; what failed is missing. */
type Measured = readonly (number | undefined)[]

/** Collects what was measured; prints it as one table. */
export class Report {
  readonly #rows: Row[] = []
  readonly #say: (text: string) => void

  constructor(say: (text: string) => void) {
    this.#say = say
  }

  /** `value` is held against the goal; `shown` is how it reads. */
  add(what: string, value: number, shown: string, goal: Goal = {}, numbers: unknown = value): void {
    const { atMost, atLeast } = goal
    const has = atMost !== undefined || atLeast !== undefined
    const met = has ? value <= (atMost ?? Number.POSITIVE_INFINITY) && value >= (atLeast ?? 0) : null
    const target = atMost !== undefined ? `<= ${atMost}` : atLeast !== undefined ? `>= ${atLeast}` : ''
    this.#take({ what, measured: shown, target, met, failed: false, numbers })
  }

  /** The median of what was measured several times. Where nothing was there is no line, because a failure has its own. */
  typical(what: string, all: Measured, shown: (value: number) => string, goal: Goal = {}): void {
    const values = all.filter((value) => value !== undefined)
    if (values.length === 0) return
    const middle = median(values)
    this.add(what, middle, shown(middle), goal, { median: middle, each: values })
  }

  ratio(what: string, ratio: Ratio, goal: Goal = {}): void {
    const { median, low, high, pairs } = ratio
    if (pairs === 0) return
    const shown = `${number(median)} (${number(low)} to ${number(high)}, ${counted(pairs, 'pair')})`
    this.add(what, median, shown, goal, ratio)
  }

  seconds(what: string, all: Measured): void {
    const seconds = all.filter((value) => value !== undefined)
    if (seconds.length === 0) return
    const [middle, p95] = [median(seconds), quantile(seconds, 0.95)]
    const shown = `${inMilliseconds(middle)}, p95 ${inMilliseconds(p95)} (${counted(seconds.length, 'time')})`
    this.add(what, middle, shown, {}, { median: middle, p95, each: seconds })
  }

  /** What could not be measured, in the place of its figures. */
  failed(what: string, error: unknown): void {
    const said = (error instanceof Error && error.message) || String(error)
    const line = said.replaceAll(/\s+/g, ' ').replaceAll('|', '/')
    const measured = line.length > SAID_LIMIT ? `${line.slice(0, SAID_LIMIT)} ...` : line
    this.#take({ what, measured, target: '', met: null, failed: true, numbers: said })
  }

  get hasFailures(): boolean {
    return this.#rows.some(({ failed }) => failed)
  }

  text(world: BenchWorld, command: string): string {
    const { size, series } = world
    const [cpu] = cpus()
    const load = loadavg().map((one) => one.toFixed(1))
    const where = `${cpus().length} x ${cpu?.model.trim() ?? 'CPU'}, Node ${process.version}, load ${load.join(' ')}`
    const head = `${size.name}: ${size.clusters} clusters x ${size.workloads} workloads x ${size.pods} pods, ${series} series`
    const lines = this.#rows.map(lineOf)
    const when = `${new Date().toISOString().slice(0, 16)}Z`
    return `${head}\n${when}, ${where}\n\`${command}\`\n\n| what | measured | figure to reach | |\n|---|---|---|---|\n${lines.join('\n')}\n`
  }

  json(world: BenchWorld, command: string): unknown {
    const { folders: _, ...of } = world
    const machine = { cpus: cpus().length, model: cpus()[0]?.model, node: process.version, load: loadavg() }
    return { at: new Date().toISOString(), command, machine, world: of, rows: this.#rows }
  }

  #take(row: Row): void {
    this.#rows.push(row)
    this.#say(`${lineOf(row)}\n`)
  }
}

/** A server may say much about why. */
const SAID_LIMIT = 300

function lineOf({ what, measured, target, met, failed }: Row): string {
  const verdict = failed ? 'FAILED' : met === null ? '' : met ? 'met' : 'MISSED'
  return `| ${what} | ${measured} | ${target} | ${verdict} |`
}
