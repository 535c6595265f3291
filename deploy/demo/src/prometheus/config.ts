import type { Exporter } from '../mesh/exporter.ts'

export const SCRAPE_INTERVAL_SECONDS = 2

/** A file_sd file: the loopback port is dialled, the simulated address is shown. */
export function targetsJson(exporters: readonly Exporter[]): string {
  return JSON.stringify(
    exporters.map(({ port, labels }) => ({ targets: [`127.0.0.1:${port}`], labels })),
    null,
    2,
  )
}

/** One of a mesh's scrape jobs, and the file that lists what it scrapes. */
export interface ScrapeJob {
  readonly name: string
  readonly path: string
  readonly targetsFile: string
}

/** Without jobs first: the history has to be in before the first scrape. */
export function prometheusYaml(jobs: readonly ScrapeJob[]): string {
  const head = `global:\n  scrape_interval: ${SCRAPE_INTERVAL_SECONDS}s\n  scrape_timeout: ${SCRAPE_INTERVAL_SECONDS}s\n`
  if (jobs.length === 0) return head
  return `${head}scrape_configs:\n${jobs.map(jobYaml).join('')}`
}

function jobYaml({ name, path, targetsFile }: ScrapeJob): string {
  return `  - job_name: ${name}
    metrics_path: ${path}
    file_sd_configs:
      - files: [${JSON.stringify(targetsFile)}]
        refresh_interval: 5s
`
}

/** What Prometheus stores of a metric's label that its target has too, where it does not honour labels. */
export function exportedName(name: string, target: Readonly<Record<string, string>>): string {
  return name in target ? `exported_${name}` : name
}
