import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { enginesExpected, findEngines } from '../engines/find-engines.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const FILE = join(ROOT, 'docker-compose.yml')
const found = findEngines(process.env)
const binary = 'missing' in found ? null : found.composeSpec
const expected = enginesExpected(process.env)

interface Service {
  readonly image: string
  readonly build?: { readonly target: string }
  readonly command: readonly string[] | null
  readonly healthcheck?: object
  readonly ports?: readonly { readonly host_ip: string; readonly published: string; readonly target: number }[]
  readonly volumes?: readonly { readonly type: string; readonly source?: string; readonly target: string }[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
}

test('what reads compose files is here where it is expected', () => {
  if (binary === null) process.stderr.write('not run: docker-compose.yml against its schema (npm run setup:engines)\n')
  expect(expected && binary === null).toBe(false)
})

if (binary !== null) {
  const read = (file: string) => promisify(execFile)(binary, [file], { cwd: ROOT })

  describe('docker-compose.yml', async () => {
    const { stdout } = await read(FILE)
    const { services } = JSON.parse(stdout) as { services: Record<string, Service> }
    const all = Object.entries(services)

    test('follows the schema; a file that does not is refused', async () => {
      expect(all.length).toBeGreaterThan(5)
      const folder = mkdtempSync(join(tmpdir(), 'goldseam-compose-'))
      const wrong = join(folder, 'docker-compose.yml')
      writeFileSync(wrong, readFileSync(FILE, 'utf8').replace('depends_on:', 'dependson:'))
      await expect(read(wrong)).rejects.toThrow(/services\.goldseam\.dependson/)
      rmSync(folder, { recursive: true })
    })

    test('publishes the port of the page, to this machine, and no other', () => {
      const published = all.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port.host_ip, port.target]))
      expect(published).toEqual([['goldseam', '127.0.0.1', 8700]])
    })

    test('every service has a health check, and waits for those it needs until they are healthy', () => {
      const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
      for (const [name, { build, healthcheck, depends_on = {} }] of all) {
        const stage = dockerfile.split(/^FROM /m).find((text) => / AS (\S+)/.exec(text)?.[1] === build?.target)
        expect(healthcheck !== undefined || stage?.includes('\nHEALTHCHECK ') === true, name).toBe(true)
        for (const { condition } of Object.values(depends_on)) expect(condition).toBe('service_healthy')
      }
    })

    test('images are pinned by tag, and are the versions that tests run', () => {
      const images = new Set(all.filter(([, { build }]) => build === undefined).map(([, { image }]) => image))
      const versionOf = (path = '') => dirname(path).split('/').at(-1)
      const engines = 'missing' in found ? null : found
      expect([...images]).toEqual([
        `prom/prometheus:v${versionOf(engines?.prometheus3)}`,
        `quay.io/thanos/thanos:v${versionOf(engines?.thanos)}`,
      ])
      const bases = [...readFileSync(join(ROOT, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)].map(
        ([, base]) => base,
      )
      expect([...new Set(bases)]).toEqual([expect.stringMatching(/^node:\d+\.\d+\.\d+-/)])
    })

    test('every file it mounts is there', () => {
      const mounted = all.flatMap(([, { volumes = [] }]) => volumes.filter(({ type }) => type === 'bind'))
      expect(mounted.length).toBe(3)
      for (const { source = '' } of mounted) expect(readFileSync(source, 'utf8').length).toBeGreaterThan(0)
    })

    test('has a Prometheus and a sidecar for each cluster, and Thanos Query over all', () => {
      const clusters = ['east', 'west']
      const query = services['thanos-query']?.command?.join(' ')
      for (const cluster of clusters) {
        expect(services[`sidecar-${cluster}`]?.command).toContain(`--prometheus.url=http://prometheus-${cluster}:9090`)
        expect(query).toContain(`--endpoint=sidecar-${cluster}:10901`)
        const config = services[`prometheus-${cluster}`]?.volumes?.find(({ type }) => type === 'bind')?.source ?? ''
        expect(readFileSync(config, 'utf8')).toContain(`external_labels: { cluster: ${cluster}, `)
      }
    })
  })
}
