/** One label condition; `value` is taken as text and escaped, whatever it holds. */
export interface Matcher {
  readonly label: string
  readonly op: '=' | '!=' | '=~' | '!~'
  readonly value: string
}

export const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/

/** A double-quoted PromQL string: backslash, quote and line ends escaped. */
export function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`
}

/** Text as a literal inside an RE2 matcher. */
export function literal(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&')
}

/** `metric{label="value",...}`. Throws on a name that PromQL would read as something else. */
export function selector(metric: string, matchers: readonly Matcher[]): string {
  const name = metric.replaceAll(':', '_')
  if (!LABEL_NAME.test(name)) throw new Error(`not a PromQL name: ${name}`)
  return `${metric}{${conditions(matchers)}}`
}

/** `{__name__=~"..."}`: series of several names at once. */
export function byName(matchers: readonly Matcher[]): string {
  return `{${conditions(matchers)}}`
}

function conditions(matchers: readonly Matcher[]): string {
  for (const { label } of matchers) if (!LABEL_NAME.test(label)) throw new Error(`not a PromQL name: ${label}`)
  return matchers.map(({ label, op, value }) => `${label}${op}${quoted(value)}`).join(',')
}

/**
 * The expression with these matchers in every selector, so that it reads nothing else. Only for what this builder
 * wrote: every selector has braces there, and braces stand nowhere else outside of double quotes.
 */
export function within(expression: string, matchers: readonly Matcher[]): string {
  const added = conditions(matchers)
  return expression.replaceAll(/"(?:[^"\\]|\\.)*"|\{(\})?/g, (found, empty: string | undefined) =>
    found.startsWith('"') ? found : empty === undefined ? `{${added},` : `{${added}}`,
  )
}

/** Whole milliseconds are the finest duration PromQL knows. */
export function duration(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000)
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${milliseconds}ms`
}

export function rate(selected: string, windowSeconds: number): string {
  return `rate(${selected}[${duration(windowSeconds)}])`
}

/** Each series' newest value if it is not older than this. Unlike the others it keeps the metric's name. */
export function lastWithin(selected: string, seconds: number): string {
  return `last_over_time(${selected}[${duration(seconds)}])`
}

/**
 * The rate of counters whose first increase counts too. `rate()` sees only what was added after a series' first
 * sample, and the first failure is the first sample: a series that was not there one window ago adds its whole value
 * instead. Only where its target answered a scrape back then: what Prometheus has just begun to scrape, or scrapes
 * again, may be days old. Series of several selectors are judged together, with one look at the targets.
 */
export function rateFromBirth(windowSeconds: number, ...selected: readonly string[]): string {
  const ago = `offset ${duration(windowSeconds)}`
  const newcomers = union(...selected.map((one) => `(${one} unless ${one} ${ago})`))
  const known = selected.length === 1 ? newcomers : `(${newcomers})`
  const born = `(${known} and on (job,instance) (${selector('up', [])} ${ago} == 1)) / ${windowSeconds}`
  const rates = union(...selected.map((one) => rate(one, windowSeconds)))
  if (windowSeconds <= ONE_LIFE_SECONDS) return `(${born} or ${rates})`
  return `((${born}) unless ((${rates}) >= (${born})) or ${rates})`
}

/**
 * Within a longer window a series may have ended and begun anew, as proxies forget what is idle and containers restart:
 * what it has counted since says less than the rate, which knows of its earlier life as well.
 */
const ONE_LIFE_SECONDS = 300

/** Each series' mean value over a window. Keeps no metric name. */
export function averageWithin(selected: string, seconds: number): string {
  return `avg_over_time(${selected}[${duration(seconds)}])`
}

/** Of a histogram's rates: every series with its `le`, or native ones. `q` from 0 to 1. */
export function quantile(q: number, buckets: string): string {
  return `histogram_quantile(${q},${buckets})`
}

export function sumBy(labels: readonly string[], expression: string): string {
  return aggregate('sum', labels, expression)
}

export function aggregate(
  how: 'sum' | 'min' | 'max' | 'avg' | 'count',
  labels: readonly string[],
  expression: string,
): string {
  for (const label of labels) if (!LABEL_NAME.test(label)) throw new Error(`not a label name: ${label}`)
  return `${how} by (${labels.join(',')}) (${expression})`
}

/** How many series have each value, which is written into `label`. */
export function countValues(label: string, expression: string): string {
  return `count_values(${quoted(label)},${expression})`
}

/** Every series of the expression with one label more: what tells the parts of a union apart. */
export function tagged(label: string, value: string, expression: string): string {
  if (!LABEL_NAME.test(label)) throw new Error(`not a label name: ${label}`)
  return `label_replace(${expression},${quoted(label)},${quoted(value)},"","")`
}

/**
 * Every series with what one label says written into another as well: what is grouped by pod, read by workload.
 * `pattern` is RE2 over the whole text; its first group is what is written, and where it does not match nothing is.
 */
export function saidBy(label: string, from: string, expression: string, pattern = '(.+)'): string {
  if (!LABEL_NAME.test(label) || !LABEL_NAME.test(from)) throw new Error(`not a label name: ${label}, ${from}`)
  return `label_replace(${expression},${quoted(label)},"$1",${quoted(from)},${quoted(pattern)})`
}

/** `label=~"a|b"`, each value as text. */
export function anyOf(label: string, values: readonly string[]): Matcher {
  return { label, op: '=~', value: [...new Set(values)].sort().map(literal).join('|') }
}

/** What any server can answer at once, whatever it holds. */
export function anyAnswer(): string {
  return 'vector(1)'
}

/** Union of expressions whose label sets differ. */
export function union(...expressions: readonly string[]): string {
  return expressions.join(' or ')
}

/** Sum and count of a histogram in one answer, told apart by the label `part`. */
export function timeOf(histogram: string, ask: (metric: string) => string): string {
  return union(...['sum', 'count'].map((part) => tagged('part', part, ask(`${histogram}_${part}`))))
}

/**
 * How many seconds lie between two samples of the slowest job that is scraped now: of its best-covered target the median
 * of the last ten minutes, minute by minute. Between the newest sample of each minute and the newest before it lie as
 * many spacings as there are samples in that minute: no edge cuts one short. A gap spoils the one minute that ends it,
 * which a median passes over as it does the odd short one of a scraper that began anew.
 */
export function spacingOfSlowestJob(): string {
  const up = selector('up', [])
  // A range of Prometheus 2 takes in its left edge, where the sample before the minute may lie.
  const samples = `count_over_time(${up}[${duration(MINUTE_SECONDS - 0.001)}])`
  const minute = duration(MINUTE_SECONDS)
  const spacing = `(timestamp(${up}) - timestamp(${up} offset ${minute})) / ${samples}`
  const usual = `quantile_over_time(0.5,(${spacing})[${duration(SPACING_SPAN_SECONDS)}:${minute}])`
  return `max(min by (job) (${usual} and ${up}))`
}

const MINUTE_SECONDS = 60
const SPACING_SPAN_SECONDS = 600
