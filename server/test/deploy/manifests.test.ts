import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ServiceSpec } from 'kubernetes-types/core/v1.js'
import type { NetworkPolicySpec } from 'kubernetes-types/networking/v1.js'
import type { ClusterRoleBinding } from 'kubernetes-types/rbac/v1.js'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config/config.ts'
import { findEngines } from '../engines/find-engines.ts'
import { containersOf, manifestsIn, podOf, ROOT, typeErrors } from './manifests.ts'

const ours = manifestsIn('kubernetes')
const thanos = manifestsIn('thanos')
const all = [...ours, ...thanos]
const workloads = all.filter((manifest) => podOf(manifest) !== null)
const only = (kind: string) => {
  const [one, ...more] = ours.filter((manifest) => manifest.kind === kind)
  if (one === undefined || more.length > 0) throw new Error(`not one ${kind}`)
  return one
}
const portsOf = (names: readonly string[]) =>
  workloads
    .filter(({ metadata }) => names.includes(metadata.name))
    .flatMap((workload) => containersOf(workload).flatMap(({ ports = [] }) => ports.map(({ name }) => name)))

test('the manifests are of the kinds that are promised', () => {
  const kinds = ours.map(({ kind }) => kind).sort()
  expect(kinds).toEqual(['ConfigMap', 'Deployment', 'NetworkPolicy', 'Service', 'ServiceMonitor'])
})

test('they hold only what the Kubernetes API knows, and a field it does not know is found', async () => {
  const [deployment] = all.filter(({ kind }) => kind === 'Deployment')
  if (deployment === undefined) throw new Error('no deployment')
  const wrong = { ...deployment, spec: { ...(deployment.spec as object), replica: 2 } }
  const [right, mistaken] = await Promise.all([typeErrors(all), typeErrors([wrong])])
  expect(right).toBe('')
  expect(mistaken).toMatch(/replica.* does not exist/)
})

describe.each(workloads)('$file: $metadata.name', (workload) => {
  const pod = podOf(workload)

  test('runs without root, on a root file system that cannot be written', () => {
    expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    for (const { securityContext } of containersOf(workload)) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  test('has probes on ports it has, requests, and a limit to its memory', () => {
    for (const { livenessProbe, readinessProbe, ports = [], resources } of containersOf(workload)) {
      for (const probe of [livenessProbe, readinessProbe]) {
        expect(ports.map(({ name }) => name)).toContain(probe?.httpGet?.port)
      }
      expect(Object.keys(resources?.requests ?? {}).sort()).toEqual(['cpu', 'memory'])
      expect(resources?.limits?.memory).toBeDefined()
    }
  })

  test('mounts volumes that are there, and its images have a tag', () => {
    const { volumeClaimTemplates = [] } = workload.spec as { volumeClaimTemplates?: { metadata: { name: string } }[] }
    const there = [
      ...(pod?.volumes ?? []).map(({ name }) => name),
      ...volumeClaimTemplates.map((one) => one.metadata.name),
    ]
    for (const { image, volumeMounts = [] } of containersOf(workload)) {
      for (const { name } of volumeMounts) expect(there).toContain(name)
      expect(image).toMatch(/:v?\d+\.\d+\.\d+$/)
    }
  })
})

test('services lead to pods and ports that are there', () => {
  const services = all.filter(({ kind }) => kind === 'Service')
  expect(services.length).toBeGreaterThan(4)
  for (const { metadata, spec } of services) {
    const { selector = {}, ports = [] } = spec as ServiceSpec
    const target = selector['app.kubernetes.io/name'] ?? ''
    for (const { targetPort } of ports) expect(portsOf([target]), metadata.name).toContain(targetPort)
  }
})

test('the policy lets Goldseam out to the HTTP ports of the Prometheus and the Thanos that are shown here', () => {
  const { egress = [] } = only('NetworkPolicy').spec as NetworkPolicySpec
  const inside = egress.filter(({ to = [] }) =>
    to.some(
      ({ namespaceSelector }) => namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'] === 'monitoring',
    ),
  )
  const open = inside.flatMap(({ ports = [] }) => ports.map(({ port }) => port))
  const asked = thanos.flatMap((manifest) =>
    containersOf(manifest).flatMap(({ ports = [] }) => ports.filter(({ name }) => name === 'http')),
  )
  expect(new Set(asked.map(({ containerPort }) => containerPort))).toEqual(new Set(open))
})

test('every service account is there, and is bound to a role that is', () => {
  const named = (kind: string) => all.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name)
  const accounts = workloads.flatMap((workload) => podOf(workload)?.serviceAccountName ?? [])
  expect(accounts.length).toBeGreaterThan(0)
  const bindings = all.flatMap(({ kind, ...rest }) =>
    kind === 'ClusterRoleBinding' ? [rest as unknown as ClusterRoleBinding] : [],
  )
  for (const account of accounts) {
    expect(named('ServiceAccount')).toContain(account)
    const own = bindings.find(({ subjects = [] }) => subjects.some(({ name }) => name === account))
    expect(named('ClusterRole')).toContain(own?.roleRef.name)
  }
})

test('the policy lets in only to the port of the page; the monitor finds the service by its label and port', () => {
  const { ingress = [] } = only('NetworkPolicy').spec as NetworkPolicySpec
  expect(ingress.flatMap(({ ports = [] }) => ports.map(({ port }) => port))).toEqual(['http'])
  for (const { from = [] } of ingress) expect(from.length).toBeGreaterThan(0)
  const monitor = only('ServiceMonitor').spec as { selector: { matchLabels: object }; endpoints: { port: string }[] }
  const service = only('Service')
  expect(service.metadata.labels).toMatchObject(monitor.selector.matchLabels)
  const names = (service.spec as ServiceSpec).ports?.map(({ name }) => name)
  for (const { port } of monitor.endpoints) expect(names).toContain(port)
})

test('the configuration of docker-compose.yml is one', () => {
  const parsed = parseConfig(readFileSync(join(ROOT, 'deploy/compose/goldseam.yaml'), 'utf8'), 'goldseam.yaml')
  expect('errors' in parsed ? parsed.errors : []).toEqual([])
})

test("Goldseam's configuration is one, and listens where the probes ask", () => {
  const parsed = parseConfig(only('ConfigMap').data?.['goldseam.yaml'] ?? '', 'goldseam.yaml')
  expect('errors' in parsed ? parsed.errors : []).toEqual([])
  const port = containersOf(only('Deployment'))[0]?.ports?.[0]?.containerPort
  expect('config' in parsed ? parsed.config.listen : null).toEqual({ host: '0.0.0.0', port })
})

const found = findEngines(process.env)
if (!('missing' in found)) {
  const run = promisify(execFile)
  /** Thanos writes its help to standard error. */
  const helpOf = async (...command: string[]) => {
    const { stdout, stderr } = await run(command[0] ?? '', [...command.slice(1), '--help'])
    return stdout + stderr
  }
  const flagsOf = (args: readonly string[]) => args.flatMap((arg) => /^--([a-z.-]+)/i.exec(arg)?.[1] ?? [])
  const composed = [...readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8').matchAll(/--[a-z][a-z.-]+(?==|$|")/gm)]

  test('every flag is one that these versions of Prometheus and Thanos have', async () => {
    const helps = new Map<string, string>()
    const containers = thanos.flatMap((manifest) => containersOf(manifest))
    expect(containers).toHaveLength(4)
    for (const { image = '', args = [] } of containers) {
      const isThanos = image.includes('/thanos:')
      const command = isThanos ? [found.thanos, args[0] ?? ''] : [found.prometheus3]
      const help = helps.get(command.join(' ')) ?? (await helpOf(...command))
      helps.set(command.join(' '), help)
      const version = dirname(isThanos ? found.thanos : found.prometheus3)
        .split('/')
        .at(-1)
      expect(image).toMatch(new RegExp(`:v${version?.replaceAll('.', '\\.')}$`))
      for (const flag of flagsOf(args)) {
        const known = help.includes(`--${flag}`) || help.includes(`--[no-]${flag.replace(/^no-/, '')}`)
        expect(known, `${image} ${args[0]} --${flag}`).toBe(true)
      }
    }
    const every = [...helps.values()].join('\n')
    const theirs = composed.map(([flag]) => flag).filter((flag) => !/^--(url|prometheus-urls)$/.test(flag))
    expect(theirs.length).toBeGreaterThan(8)
    for (const flag of theirs)
      expect(every.includes(flag) || every.includes(flag.replace('--', '--[no-]')), flag).toBe(true)
  })

  test('promtool takes the configurations of Prometheus', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'goldseam-manifests-'))
    const inCluster = join(folder, 'prometheus.yml')
    writeFileSync(
      inCluster,
      thanos.find(({ metadata }) => metadata.name === 'prometheus')?.data?.['prometheus.yml'] ?? '',
    )
    const files = ['east', 'west'].map((cluster) => join(ROOT, `deploy/compose/prometheus/${cluster}.yaml`))
    for (const file of [inCluster, ...files]) {
      const { stdout } = await run(join(dirname(found.prometheus3), 'promtool'), ['check', 'config', file])
      expect(stdout).toContain('SUCCESS')
    }
    rmSync(folder, { recursive: true })
  })
}
