import type { Labels, Page } from './counters.ts'

/** A page as a proxy prints it at one step; between two steps counts are whole as well. `atMs` stamps every sample. */
export function pageText({ counters }: Page, step: number, atMs: number | null = null): string {
  const lines: string[] = []
  const named = new Set<string>()
  for (const { metric, labels, at } of counters) {
    const family = metric.replace(/_(bucket|sum|count)$/, '')
    if (!named.has(family)) {
      named.add(family)
      lines.push(`# TYPE ${family} ${family !== metric ? 'histogram' : 'counter'}`)
    }
    const inside = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
    lines.push(`${metric}{${inside.join(',')}} ${Math.floor(at(step))}${atMs === null ? '' : ` ${atMs}`}`)
  }
  return `${lines.join('\n')}\n`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

export interface TextSample {
  readonly metric: string
  readonly labels: Labels
  readonly value: number
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)\{(.*)\} (\S+)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)",?/g

/** Reads a page of the text format, as far as the pages above use it; throws on anything else. */
export function parsePage(text: string): TextSample[] {
  const samples: TextSample[] = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const parts = LINE.exec(line)
    if (parts === null) throw new Error(`not a sample: ${line}`)
    const labels: Record<string, string> = {}
    for (const [, name = '', value = ''] of (parts[2] ?? '').matchAll(LABEL)) {
      labels[name] = value.replaceAll(/\\(.)/g, (_, mark: string) => (mark === 'n' ? '\n' : mark))
    }
    samples.push({ metric: parts[1] ?? '', labels, value: Number(parts[3]) })
  }
  return samples
}
