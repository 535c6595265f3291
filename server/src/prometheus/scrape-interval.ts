import { parse } from 'yaml'

const SECONDS_PER_UNIT: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
}

/** What Prometheus takes when its config says nothing. */
const DEFAULT_SECONDS = 60

/** The longest scrape interval in the text of a running Prometheus config, in seconds; null when it is no such text. */
export function longestScrapeInterval(yaml: string): number | null {
  let config: unknown
  try {
    config = parse(yaml)
  } catch {
    return null
  }
  if (typeof config !== 'object' || config === null) return null
  const { global, scrape_configs: jobs } = config as { global?: unknown; scrape_configs?: unknown }
  const globalSeconds = intervalOf(global) ?? DEFAULT_SECONDS
  if (!Array.isArray(jobs) || jobs.length === 0) return globalSeconds
  return Math.max(...jobs.map((job) => intervalOf(job) ?? globalSeconds))
}

function intervalOf(holder: unknown): number | null {
  if (typeof holder !== 'object' || holder === null) return null
  const { scrape_interval: text } = holder as { scrape_interval?: unknown }
  return typeof text === 'string' ? prometheusDurationSeconds(text) : null
}

/** Prometheus chains units: `1m30s`. */
function prometheusDurationSeconds(text: string): number | null {
  if (!/^(\d+(ms|[smhdwy]))+$/.test(text)) return null
  let seconds = 0
  for (const [, amount, unit] of text.matchAll(/(\d+)(ms|[smhdwy])/g))
    seconds += Number(amount) * (SECONDS_PER_UNIT[unit ?? ''] ?? 0)
  return seconds
}
