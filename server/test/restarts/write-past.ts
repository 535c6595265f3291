import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Engines } from '../engines/find-engines.ts'
import type { Page } from './pages.ts'

/** As far back as Goldseam looks, and a little more. */
const SPAN_SECONDS = 4_800
const EVERY_SECONDS = 5

/**
 * What a Prometheus would hold that had scraped these pages all the while, up to now: so that what is usual is known
 * at once, and can be lost from the first moment on.
 */
export async function writePast(
  { prometheus3 }: Engines,
  data: string,
  target: string,
  pages: readonly Page[],
): Promise<void> {
  mkdirSync(data, { recursive: true })
  const now = Math.floor(Date.now() / 1_000)
  const lines: string[] = []
  for (let at = now - SPAN_SECONDS; at <= now; at += EVERY_SECONDS) {
    for (const { name, labels, value } of pages.flatMap((page) => page(at)))
      lines.push(`${name}{${labels},job="page",instance="${target}"} ${value} ${at}`)
  }
  const file = join(data, '..', 'past.txt')
  // Those of a metric have to stand together.
  writeFileSync(file, `${lines.sort(byMetric).join('\n')}\n# EOF\n`)
  const promtool = join(dirname(prometheus3), 'promtool')
  await promisify(execFile)(promtool, ['tsdb', 'create-blocks-from', 'openmetrics', '--quiet', file, data])
}

function byMetric(a: string, b: string): number {
  const [nameOfA = '', nameOfB = ''] = [a, b].map((line) => line.slice(0, line.indexOf('{')))
  return nameOfA < nameOfB ? -1 : nameOfA > nameOfB ? 1 : 0
}
