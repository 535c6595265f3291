import type { Labels } from './counters.ts'
import { AGGREGATES, extrapolated, keyOf, OPERATORS, only, secondsOf, textOf, type Value } from './promql-values.ts'

/** One stored series: what a scrape keeps. Times in seconds, oldest first. */
export interface StoredSeries {
  readonly labels: Labels
  readonly atSeconds: readonly number[]
  readonly values: readonly number[]
}

const LOOKBACK_SECONDS = 300
const TOKEN =
  /\s*("(?:[^"\\]|\\.)*"|[a-zA-Z_:][a-zA-Z0-9_:]*|\d+(?:\.\d+)?(?:ms|s|m|h)?|=~|!~|!=|==|>=|<=|[-+*/(){}[\],=<>])/y

/**
 * Series by metric name, with an evaluator for as much of PromQL as the dialects' questions use: selectors, `rate`,
 * `increase`, `offset`, `sum|count|avg|max|min|group by`, `label_replace`, `or`, `and`, `unless` (also `on`), arithmetic
 * and comparison with a number. Everything else throws. Tests hold its answers against a real Prometheus.
 */
export class SeriesStore {
  readonly #byMetric = new Map<string, StoredSeries[]>()

  add(metric: string, series: StoredSeries): void {
    const list = this.#byMetric.get(metric)
    if (list === undefined) this.#byMetric.set(metric, [series])
    else list.push(series)
  }

  get metrics(): readonly string[] {
    return [...this.#byMetric.keys()]
  }

  all(): readonly { readonly metric: string; readonly series: StoredSeries }[] {
    return [...this.#byMetric].flatMap(([metric, list]) => list.map((series) => ({ metric, series })))
  }

  query(promql: string, atSeconds: number): Value[] {
    return new Evaluation(promql, atSeconds, this.#byMetric).run()
  }
}

class Evaluation {
  readonly promql: string
  readonly atSeconds: number
  readonly series: ReadonlyMap<string, readonly StoredSeries[]>
  readonly #tokens: string[] = []
  #next = 0

  constructor(promql: string, atSeconds: number, series: ReadonlyMap<string, readonly StoredSeries[]>) {
    this.promql = promql
    this.atSeconds = atSeconds
    this.series = series
    const lexer = new RegExp(TOKEN)
    while (lexer.lastIndex < promql.trimEnd().length) {
      const found = lexer.exec(promql)
      if (found?.[1] === undefined) throw new Error(`cannot read: ${promql}`)
      this.#tokens.push(found[1])
    }
  }

  run(): Value[] {
    const result = this.#union()
    if (this.#next < this.#tokens.length) this.#fail()
    return result
  }

  #fail(): never {
    throw new Error(`not in the subset at '${this.#tokens[this.#next]}': ${this.promql}`)
  }

  #take(expected?: string): string {
    const token = this.#tokens[this.#next]
    if (token === undefined || (expected !== undefined && token !== expected)) this.#fail()
    this.#next += 1
    return token
  }

  #is(token: string): boolean {
    if (this.#tokens[this.#next] !== token) return false
    this.#next += 1
    return true
  }

  #union(): Value[] {
    let left = this.#intersection()
    while (this.#is('or')) {
      const known = new Set(left.map(({ labels }) => keyOf(labels)))
      left = [...left, ...this.#intersection().filter(({ labels }) => !known.has(keyOf(labels)))]
    }
    return left
  }

  #intersection(): Value[] {
    let left = this.#compared()
    for (;;) {
      const wanted = this.#is('and')
      if (!wanted && !this.#is('unless')) return left
      const on = this.#is('on') ? this.#labelNames() : null
      const keyed = ({ labels }: Value) => keyOf(on === null ? labels : only(labels, on))
      const right = new Set(this.#compared().map(keyed))
      left = left.filter((one) => right.has(keyed(one)) === wanted)
    }
  }

  #compared(): Value[] {
    const factor = Number(this.#tokens[this.#next])
    if (!Number.isNaN(factor)) {
      this.#next += 1
      this.#take('*')
      return this.#primary().flatMap((one) => OPERATORS.get('*')?.(one, factor) ?? [])
    }
    let values = this.#primary()
    for (;;) {
      const operator = this.#tokens[this.#next] ?? ''
      const apply = OPERATORS.get(operator)
      if (apply === undefined) return values
      this.#next += 1
      const number = Number(this.#take())
      if (Number.isNaN(number)) this.#fail()
      values = values.flatMap((one) => apply(one, number))
    }
  }

  #labelNames(): string[] {
    const names: string[] = []
    this.#take('(')
    while (!this.#is(')')) {
      names.push(this.#take())
      this.#is(',')
    }
    return names
  }

  /** How long before the instant asked for. */
  #offset(): number {
    return this.#is('offset') ? secondsOf(this.#take()) : 0
  }

  #primary(): Value[] {
    if (this.#is('(')) {
      const inner = this.#union()
      this.#take(')')
      return inner
    }
    const name = this.#take()
    const aggregate = AGGREGATES.get(name)
    if (aggregate !== undefined && ['by', '('].includes(this.#tokens[this.#next] ?? '')) {
      return this.#aggregated(aggregate)
    }
    if (name === 'rate' || name === 'increase') return this.#rate(name)
    if (name === 'label_replace') return this.#labelReplace()
    return this.#instant(name)
  }

  #aggregated(aggregate: (values: readonly number[]) => number): Value[] {
    const by = this.#is('by') ? this.#labelNames() : []
    this.#take('(')
    const inner = this.#union()
    this.#take(')')
    const groups = new Map<string, { labels: Labels; values: number[] }>()
    for (const { labels, value } of inner) {
      const kept = only(labels, by)
      const group = groups.get(keyOf(kept)) ?? { labels: kept, values: [] }
      group.values.push(value)
      groups.set(keyOf(kept), group)
    }
    return [...groups.values()].map(({ labels, values }) => ({ labels, value: aggregate(values) }))
  }

  #rate(name: 'rate' | 'increase'): Value[] {
    this.#take('(')
    const selected = this.#selected(this.#take())
    this.#take('[')
    const windowSeconds = secondsOf(this.#take())
    this.#take(']')
    const to = this.atSeconds - this.#offset()
    this.#take(')')
    return selected.flatMap(({ labels, atSeconds, values }) => {
      const first = atSeconds.findIndex((at) => at > to - windowSeconds)
      const last = atSeconds.findLastIndex((at) => at <= to)
      if (first < 0 || last <= first) return []
      const [times, counts] = [atSeconds.slice(first, last + 1), values.slice(first, last + 1)]
      const increase = extrapolated(times, counts, to - windowSeconds, to)
      return [{ labels, value: name === 'rate' ? increase / windowSeconds : increase }]
    })
  }

  #labelReplace(): Value[] {
    this.#take('(')
    const inner = this.#union()
    const [target = '', value = '', source = '', pattern = ''] = [0, 1, 2, 3].map(() => {
      this.#take(',')
      return textOf(this.#take())
    })
    this.#take(')')
    const match = new RegExp(`^(?:${pattern})$`)
    return inner.map((one) => {
      const found = match.exec(one.labels[source] ?? '')
      if (found === null) return one
      const text = value.replaceAll(/\$(\d)/g, (_, group: string) => found[Number(group)] ?? '')
      return { ...one, labels: { ...one.labels, [target]: text } }
    })
  }

  #instant(metric: string): Value[] {
    const selected = this.#selected(metric)
    const to = this.atSeconds - this.#offset()
    return selected.flatMap(({ labels, atSeconds, values }) => {
      const last = atSeconds.findLastIndex((at) => at <= to && at > to - LOOKBACK_SECONDS)
      const value = values[last]
      return value === undefined ? [] : [{ labels: { __name__: metric, ...labels }, value }]
    })
  }

  #selected(first: string): readonly StoredSeries[] {
    const tests: ((labels: Labels) => boolean)[] = []
    let metric: string | null = first
    let inBraces = false
    if (first === '{') {
      metric = null
      inBraces = true
    } else inBraces = this.#is('{')
    while (inBraces && !this.#is('}')) {
      const label = this.#take()
      const operator = this.#take()
      const text = textOf(this.#take())
      const pattern = operator.endsWith('~') ? new RegExp(`^(?:${text})$`) : null
      const matches = (value: string) => (pattern === null ? value === text : pattern.test(value))
      const wanted = !operator.startsWith('!')
      if (label === '__name__' && operator === '=') metric = text
      else tests.push((labels) => matches(labels[label] ?? '') === wanted)
      this.#is(',')
    }
    if (metric === null) this.#fail()
    return (this.series.get(metric) ?? []).filter(({ labels }) => tests.every((test) => test(labels)))
  }
}
