import type { TimeSeries } from '../engines/remote-write.ts'

/** One line of an exposition, with the labels that its scrape adds. */
export interface Exposed {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
  readonly type: 'counter' | 'gauge'
}

/**
 * Reads pages of exposition text. `# scrape: namespace="shop",pod="web-1"` says which labels the scrape adds to the
 * lines that follow, up to the next such line; each page gets an `instance` of its own.
 */
export function parseExposition(text: string): Exposed[] {
  const exposed: Exposed[] = []
  let target: Record<string, string> = {}
  let pages = 0
  let gauge = false
  for (const line of text.split('\n')) {
    const scrape = /^# scrape: ?(.*)$/.exec(line)
    if (scrape !== null) {
      pages += 1
      target = { instance: `10.0.0.${pages}:4191`, job: 'mesh', ...labelsOf(scrape[1] ?? '') }
      exposed.push({ name: 'up', labels: target, value: 1, type: 'gauge' })
    }
    const type = /^# TYPE (\S+) (\S+)$/.exec(line)
    if (type !== null) gauge = type[2] === 'gauge'
    if (line === '' || line.startsWith('#')) continue
    const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line)
    if (sample === null) throw new Error(`not a sample: ${line}`)
    const [, name = '', labels = '', value = ''] = sample
    exposed.push({
      name,
      labels: { ...target, ...labelsOf(labels) },
      value: Number(value),
      type: gauge ? 'gauge' : 'counter',
    })
  }
  return exposed
}

function labelsOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)]
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value.replace(/\\(.)/g, '$1')]))
}

/** A page shows the counters after this long under steady load: what a rate has to come to is its value / this. */
export const LOAD_SECONDS = 600
const STEP_SECONDS = 15
/** Shown this long: a rate window of one minute, and another one before it. */
const SHOWN_SECONDS = 180

/** The samples that a scrape every 15 s sees, the last of them at `atSeconds`. */
export function underLoad(exposed: readonly Exposed[], atSeconds: number): TimeSeries[] {
  const ages = Array.from(
    { length: SHOWN_SECONDS / STEP_SECONDS + 1 },
    (_, step) => SHOWN_SECONDS - step * STEP_SECONDS,
  )
  return exposed.map(({ name, labels, value, type }) => ({
    labels: { ...labels, __name__: name },
    samples: ages.map((ageSeconds) => ({
      atMs: (atSeconds - ageSeconds) * 1_000,
      value: type === 'gauge' ? value : value * (1 - ageSeconds / LOAD_SECONDS),
    })),
  }))
}
