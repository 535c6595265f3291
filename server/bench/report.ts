import { cpus, loadavg } from 'node:os'
import type { Ratio } from './statistics.ts'
import type { BenchWorld } from './world.ts'

export interface Row {
  readonly what: string
  readonly measured: string
  /** As in the list of figures to reach; empty where there is none. */
  readonly target: string
  readonly met: boolean | null
  /** The numbers behind it. */
  readonly numbers: unknown
}

export interface Goal {
  readonly atMost?: number
  readonly atLeast?: number
}

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
    const row = { what, measured: shown, target, met, numbers }
    this.#rows.push(row)
    this.#say(`${lineOf(row)}\n`)
  }

  ratio(what: string, ratio: Ratio, goal: Goal = {}): void {
    const { median, low, high, pairs } = ratio
    this.add(what, median, `${number(median)} (${number(low)} to ${number(high)}, ${pairs} pairs)`, goal, ratio)
  }

  seconds(what: string, seconds: { readonly median: number; readonly p95: number }): void {
    const shown = `${number(seconds.median * 1_000)} ms, p95 ${number(seconds.p95 * 1_000)} ms`
    this.add(what, seconds.median, shown, {}, seconds)
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
}

function lineOf({ what, measured, target, met }: Row): string {
  return `| ${what} | ${measured} | ${target} | ${met === null ? '' : met ? 'met' : 'MISSED'} |`
}

/** Three digits. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return 'unknown'
  return Math.abs(value) >= 100 ? value.toFixed(0) : `${Number(value.toPrecision(3))}`
}
