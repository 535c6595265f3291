import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { findEngines } from '../engines/find-engines.ts'

const fileOf = (mesh: string) => fileURLToPath(new URL(`../../../deploy/prometheus/${mesh}.yaml`, import.meta.url))
const POD = '__meta_kubernetes_pod'
const PROXY = { [`${POD}_container_name`]: 'linkerd-proxy', [`${POD}_container_port_name`]: 'linkerd-admin' }
const RUNNING = {
  __meta_kubernetes_namespace: 'shop',
  [`${POD}_name`]: 'cart-abc-1',
  [`${POD}_phase`]: 'Running',
  [`${POD}_label_linkerd_io_control_plane_ns`]: 'linkerd',
}
/** As the API server's pods are discovered; the address says which. */
type Discovered = Readonly<Record<string, Readonly<Record<string, string>>>>

const LINKERD: Discovered = {
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

const ISTIO: Discovered = {
  '10.0.0.1:15090': { ...RUNNING, [`${POD}_container_port_name`]: 'http-envoy-prom' },
  '10.0.0.2:15020': { ...RUNNING, [`${POD}_container_port_name`]: 'ztunnel-stats' },
  '10.0.0.3:15090': { ...RUNNING, [`${POD}_container_port_name`]: 'http-envoy-prom', [`${POD}_phase`]: 'Failed' },
  '10.0.0.4:8080': { ...RUNNING, [`${POD}_container_port_name`]: 'http' },
}

const found = findEngines(process.env)
if (!('missing' in found)) {
  const promtool = (...args: string[]) => promisify(execFile)(join(dirname(found.prometheus3), 'promtool'), args)
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-scrapes-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  /** What a job keeps of pods that come out of a file instead of an API server, by address, without its own labels. */
  async function keptBy(mesh: string, jobName: string, discovered: Discovered) {
    const config = parse(readFileSync(fileOf(mesh), 'utf8')) as {
      scrape_configs: Record<string, unknown>[]
      rule_files: []
    }
    const targets = join(folder, `${mesh}.json`)
    const listed = Object.entries(discovered).map(([address, labels]) => ({ targets: [address], labels }))
    writeFileSync(targets, JSON.stringify(listed))
    config.rule_files = []
    for (const job of config.scrape_configs) {
      delete job.kubernetes_sd_configs
      job.file_sd_configs = [{ files: [targets] }]
    }
    const file = join(folder, `${mesh}.yml`)
    writeFileSync(file, stringify(config))
    const { stdout } = await promtool('check', 'service-discovery', '--timeout=2s', file, jobName)
    const answered = JSON.parse(stdout) as { labels: Record<string, string> | null }[]
    const kept = answered.flatMap(({ labels }) => (labels === null || labels.instance === undefined ? [] : [labels]))
    const shown = kept.map((labels) => Object.fromEntries(Object.entries(labels).filter(([name]) => !/^__/.test(name))))
    return shown.sort((a, b) => (a.instance ?? '').localeCompare(b.instance ?? ''))
  }

  test.each(['linkerd', 'istio'])('promtool takes the scrape example for a whole configuration: %s', async (mesh) => {
    const { stdout } = await promtool('check', 'config', '--lint=all', '--lint-fatal', fileOf(mesh))
    expect(stdout).not.toMatch(/FAILED|error/)
  })

  test("Linkerd's keeps the proxies' admin ports and puts the owner's labels on", async () => {
    const common = { namespace: 'shop', pod: 'cart-abc-1', control_plane_ns: 'linkerd', job: 'linkerd-proxy' }
    expect(await keptBy('linkerd', 'linkerd-proxy', LINKERD)).toEqual([
      { ...common, instance: '10.0.0.1:4191', deployment: 'cart', pod_template_hash: 'abc' },
      { ...common, instance: '10.0.0.2:4191', k8s_job: 'nightly' },
      { ...common, instance: '10.0.0.3:4191', statefulset: 'db' },
    ])
  })

  test("Istio's keeps the ports of Envoys and ztunnels, with the pod", async () => {
    const common = { namespace: 'shop', pod: 'cart-abc-1', job: 'istio-proxy' }
    expect(await keptBy('istio', 'istio-proxy', ISTIO)).toEqual([
      { ...common, instance: '10.0.0.1:15090' },
      { ...common, instance: '10.0.0.2:15020' },
    ])
  })
} else test('needs Prometheus 3 and Thanos (npm run setup:engines)', () => undefined)
