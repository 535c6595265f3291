import { expect, test } from 'vitest'
import { parseOptions } from './options.ts'

test('has defaults for everything', () => {
  expect(parseOptions([])).toEqual({
    ok: true,
    options: {
      scenario: 'campus',
      culprit: undefined,
      meshes: {},
      port: 8700,
      controlPort: 8701,
      prometheusPorts: [9091, 9092],
      open: true,
      manual: false,
      server: true,
      refresh: '5s',
      only: null,
      prometheusUrls: [],
      targets: { host: '127.0.0.1', port: 8702 },
      help: false,
    },
  })
})

test('takes what it is given', () => {
  const argv = '--culprit pdf --port 1 --control-port 2 --prometheus-ports 3,4 --no-open --manual --no-server'.split(
    ' ',
  )
  const parsed = parseOptions(argv)
  expect(parsed.ok && parsed.options).toMatchObject({
    culprit: 'pdf',
    port: 1,
    controlPort: 2,
    prometheusPorts: [3, 4],
    open: false,
    manual: true,
    server: false,
  })
})

test('takes Prometheus servers that run elsewhere', () => {
  const argv = '--only clusters --prometheus-urls http://e:9090,http://w:9090 --targets 0.0.0.0:8702'.split(' ')
  const parsed = parseOptions(argv)
  expect(parsed.ok && parsed.options).toMatchObject({
    only: 'clusters',
    prometheusUrls: ['http://e:9090', 'http://w:9090'],
    targets: { host: '0.0.0.0', port: 8702 },
  })
})

test('takes a mesh for each cluster', () => {
  const parsed = parseOptions(['--mesh', 'east=linkerd@2.20+hostnames', '--mesh', 'west=istio'])
  expect(parsed.ok && parsed.options.meshes).toEqual({
    east: { name: 'linkerd', version: '2.20', features: new Set(['hostnames']) },
    west: { name: 'istio', version: 'sidecar', features: new Set() },
  })
})

test.each([
  { argv: ['--only', 'clusters'], says: 'go together' },
  { argv: ['--prometheus-urls', 'http://e,http://w'], says: 'go together' },
  { argv: ['--only', 'moon'], says: "--only 'moon' is not 'clusters'." },
  { argv: ['--only', 'clusters', '--prometheus-urls', 'e:9090,http://w'], says: "'e:9090' is not like" },
  { argv: ['--targets', '8702'], says: "--targets '8702' is not like" },
  { argv: ['--bogus'], says: '--bogus' },
  { argv: ['stray'], says: 'stray' },
  { argv: ['--scenario', 'moon'], says: "Unknown scenario 'moon'. Known: campus." },
  { argv: ['--culprit', 'nobody'], says: 'Known: directory, permissions, pdf, ingress.' },
  { argv: ['--mesh', 'linkerd'], says: 'is not like CLUSTER=MESH@VERSION' },
  { argv: ['--mesh', 'north=istio'], says: "no cluster 'north'. Clusters: east, west." },
  { argv: ['--mesh', 'east=consul'], says: "no mesh 'consul'. Meshes: linkerd, istio, envoy, otel, hubble." },
  { argv: ['--mesh', 'east=linkerd@2.21'], says: "no linkerd '2.21'. Known: 2.8, 2.9, 2.10, 2.11," },
  { argv: ['--mesh', 'east=istio+hostnames'], says: "no 'hostnames' of istio. Known: ingress-metrics," },
  { argv: ['--mesh', 'east=istio', '--mesh', 'east=envoy'], says: 'east has one already' },
  { argv: ['--port', '70000'], says: "--port '70000' is not a port." },
  { argv: ['--control-port', 'x'], says: "--control-port 'x' is not a port." },
  { argv: ['--prometheus-ports', '9091'], says: 'is not two ports' },
  { argv: ['--port', '8701'], says: 'Port 8701 is given twice.' },
])('says what is wrong with $argv', ({ argv, says }) => {
  const parsed = parseOptions(argv)
  expect(parsed.ok ? '' : parsed.problem).toContain(says)
})
