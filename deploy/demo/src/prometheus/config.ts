import type { Pod } from '../mesh/pod.ts'

export const SCRAPE_INTERVAL_SECONDS = 2
export const SCRAPE_JOB = 'linkerd-proxy'

/** What Linkerd's scrape job makes of a pod's own labels (its relabelling has happened here already). */
export function podLabels(pod: Pod): Record<string, string> {
  const { facts } = pod
  const ip = facts.address.slice(0, facts.address.lastIndexOf(':'))
  return {
    namespace: facts.namespace,
    pod: facts.name,
    deployment: facts.deployment,
    workload_ns: facts.namespace,
    control_plane_ns: 'linkerd',
    pod_template_hash: facts.templateHash,
    app: facts.deployment,
    instance: `${ip}:4191`,
  }
}

/** A file_sd file: the loopback port is dialled, the simulated address is shown. */
export function targetsJson(pods: readonly Pod[]): string {
  return JSON.stringify(
    pods.map((pod) => ({ targets: [`127.0.0.1:${pod.adminPort}`], labels: podLabels(pod) })),
    null,
    2,
  )
}

/** Without targets first: the history has to be in before the first scrape. */
export function prometheusYaml(targetsFile: string | undefined): string {
  const head = `global:\n  scrape_interval: ${SCRAPE_INTERVAL_SECONDS}s\n  scrape_timeout: ${SCRAPE_INTERVAL_SECONDS}s\n`
  if (targetsFile === undefined) return head
  return `${head}scrape_configs:
  - job_name: ${SCRAPE_JOB}
    file_sd_configs:
      - files: [${JSON.stringify(targetsFile)}]
        refresh_interval: 5s
`
}
