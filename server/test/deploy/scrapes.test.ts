import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { findEngines } from '../engines/find-engines.ts'

const FILE = fileURLToPath(new URL('../../../deploy/prometheus/linkerd.yaml', import.meta.url))
const POD = '__meta_kubernetes_pod'
const PROXY = { [`${POD}_container_name`]: 'linkerd-proxy', [`${POD}_container_port_name`]: 'linkerd-admin' }
const RUNNING = {
  __meta_kubernetes_namespace: 'shop',
  [`${POD}_name`]: 'cart-abc-1',
  [`${POD}_phase`]: 'Running',
  [`${POD}_label_linkerd_io_control_plane_ns`]: 'linkerd',
}
/** As the API server's pods are discovered; the address says which. */
const DISCOVERED: Record<string, Record<string, string>> = {
  '10.0.0.1:4191': {
    ...RUNNING,
    ...PROXY,
    [`${POD}_label_linkerd_io_proxy_deployment`]: 'cart',
    [`${POD}_label_pod_template_hash`]: 'abc',
  },
  '10.0.0.2:4191': { ...RUNNING, ...PROXY, [`${POD}_label_linkerd_io_proxy_job`]: 'nightly' },
  '10.0.0.3:4191': { ...RUNNING, ...PROXY, [`${POD}_label_linkerd_io_proxy_statefulset`]: 'db' },
  '10.0.0.4:4191': { ...RUNNING, ...PROXY, [`${POD}_phase`]: 'Succeeded' },
  '10.0.0.5:4143': { ...RUNNING, ...PROXY, [`${POD}_container_port_name`]: 'linkerd-proxy' },
  '10.0.0.6:8080': { ...RUNNING, [`${POD}_container_name`]: 'cart', [`${POD}_container_port_name`]: 'http' },
}

const found = findEngines(process.env)
if (!('missing' in found)) {
  const promtool = (...args: string[]) => promisify(execFile)(join(dirname(found.prometheus3), 'promtool'), args)
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-scrapes-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('promtool takes the scrape example for a whole configuration', async () => {
    expect((await promtool('check', 'config', '--lint=all', '--lint-fatal', FILE)).stdout).not.toMatch(/FAILED|error/)
  })

  test("its relabelling keeps the proxies' admin ports and puts the owner's labels on", async () => {
    const config = parse(readFileSync(FILE, 'utf8')) as { scrape_configs: Record<string, unknown>[]; rule_files: [] }
    const targets = join(folder, 'targets.json')
    const listed = Object.entries(DISCOVERED).map(([address, labels]) => ({ targets: [address], labels }))
    writeFileSync(targets, JSON.stringify(listed))
    config.rule_files = []
    // The same job, with pods out of a file instead of an API server.
    for (const job of config.scrape_configs) {
      delete job.kubernetes_sd_configs
      job.file_sd_configs = [{ files: [targets] }]
    }
    writeFileSync(join(folder, 'prometheus.yml'), stringify(config))
    const file = join(folder, 'prometheus.yml')
    const { stdout } = await promtool('check', 'service-discovery', '--timeout=2s', file, 'linkerd-proxy')
    const answered = JSON.parse(stdout) as { labels: Record<string, string> | null }[]
    const kept = answered.flatMap(({ labels }) => (labels === null || labels.instance === undefined ? [] : [labels]))
    const common = { namespace: 'shop', pod: 'cart-abc-1', control_plane_ns: 'linkerd', job: 'linkerd-proxy' }
    const shown = kept.map((labels) => Object.fromEntries(Object.entries(labels).filter(([name]) => !/^__/.test(name))))
    expect(shown.sort((a, b) => (a.instance ?? '').localeCompare(b.instance ?? ''))).toEqual([
      { ...common, instance: '10.0.0.1:4191', deployment: 'cart', pod_template_hash: 'abc' },
      { ...common, instance: '10.0.0.2:4191', k8s_job: 'nightly' },
      { ...common, instance: '10.0.0.3:4191', statefulset: 'db' },
    ])
  })
} else test('needs Prometheus 3 and Thanos (npm run setup:engines)', () => undefined)
