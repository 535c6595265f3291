import { createEnvoy, ENVOY_VERSIONS } from './envoy/mesh.ts'
import { createHubble } from './hubble/mesh.ts'
import { createIstio, ISTIO_VARIANTS, istioVariant } from './istio/mesh.ts'
import { createLinkerd } from './linkerd/mesh.ts'
import { LINKERD_VERSIONS, linkerdTraits } from './linkerd/traits.ts'
import type { Mesh } from './meter.ts'
import { createOtel, OTEL_VARIANTS, otelVariant } from './otel/mesh.ts'

/** A mesh as it is asked for: `linkerd@2.20+hostnames`. */
export interface MeshSpec {
  readonly name: string
  readonly version: string
  readonly features: ReadonlySet<string>
}

interface MeshEntry {
  readonly name: string
  /** The default first. */
  readonly versions: readonly string[]
  /** Word -> what it does. */
  readonly features: Readonly<Record<string, string>>
  readonly about: string
  /** Whether callees are told the host that was asked for. */
  tellsHost(spec: MeshSpec): boolean
  create(cluster: string, title: string, spec: MeshSpec, ingressMetrics: boolean): Mesh
}

const never = () => false

export const MESHES: readonly MeshEntry[] = [
  {
    name: 'linkerd',
    versions: ['2.17', ...LINKERD_VERSIONS.filter((version) => version !== '2.17')],
    features: {
      hostnames: 'callers tell the host they ask for (2.18 and later; 2.17 does by default)',
      'no-hostnames': 'they do not (2.17)',
      authority: 'callees tell the host they are asked for (2.18 and later; earlier ones do by default)',
    },
    about: 'Linkerd’s proxies, a page for each pod',
    tellsHost: ({ version, features }) => linkerdTraits(version, features).inboundAuthority,
    create: (_, title, { version, features }, ingressMetrics) =>
      createLinkerd(title, linkerdTraits(version, features), ingressMetrics),
  },
  {
    name: 'istio',
    versions: ISTIO_VARIANTS,
    features: {},
    about: 'sidecars; waypoints and ztunnels; or only what its guide records for federation, without pods',
    tellsHost: never,
    create: (cluster, title, { version }, ingressMetrics) =>
      createIstio({ cluster, title, variant: istioVariant(version), ingressMetrics }),
  },
  {
    name: 'envoy',
    versions: ENVOY_VERSIONS,
    features: {},
    about: 'plain Envoys at the edge and beside each service; their stats by that release',
    tellsHost: never,
    create: (_, title, { version }, ingressMetrics) => createEnvoy(title, version, ingressMetrics),
  },
  {
    name: 'otel',
    versions: OTEL_VARIANTS,
    features: {},
    about: 'metrics made of traces: the Collector’s, an old one’s in milliseconds, Tempo’s',
    tellsHost: never,
    create: (cluster, title, { version }, ingressMetrics) =>
      createOtel({ cluster, title, variant: otelVariant(version), ingressMetrics }),
  },
  {
    name: 'hubble',
    versions: ['workloads'],
    features: {},
    about: 'Cilium’s HTTP metrics with labelsContext',
    tellsHost: never,
    create: (cluster, title, _, ingressMetrics) => createHubble(cluster, title, ingressMetrics),
  },
]

const ON = 'ingress-metrics'
const OFF = 'no-ingress-metrics'
/** Of every mesh. */
const COMMON: MeshEntry['features'] = {
  [ON]: 'the ingress controller’s own metrics are scraped (default where the mesh tells callees no host)',
  [OFF]: 'they are not',
}

/** One cluster's mesh; Linkerd as it is by default where nothing was asked for. */
export function createMesh(cluster: string, asked?: MeshSpec): Mesh {
  const entry = MESHES.find(({ name }) => name === (asked?.name ?? 'linkerd'))
  if (!entry) throw new Error(`No mesh ${asked?.name}`)
  const spec = asked ?? { name: entry.name, version: entry.versions[0] ?? '', features: new Set<string>() }
  const { features } = spec
  const ingressMetrics = features.has(ON) || (!features.has(OFF) && !entry.tellsHost(spec))
  return entry.create(cluster, meshTitle(spec), spec, ingressMetrics)
}

export function meshTitle({ name, version, features }: MeshSpec): string {
  return [`${name}@${version}`, ...features].join('+')
}

export type ParsedMesh = { ok: true; cluster: string; spec: MeshSpec } | { ok: false; problem: string }

/** Reads `CLUSTER=MESH[@VERSION][+FEATURE...]`; what is wrong names what would be right. */
export function parseMesh(text: string, clusters: readonly string[]): ParsedMesh {
  const problem = (words: string): ParsedMesh => ({ ok: false, problem: `--mesh '${text}': ${words}` })
  const [, cluster = '', name = '', asked, more = ''] = /^([^=]+)=([^@+]*)(?:@([^+]*))?((?:\+[^+]*)*)$/.exec(text) ?? []
  if (name === '') return problem('is not like CLUSTER=MESH@VERSION, as in east=linkerd@2.14.')
  if (!clusters.includes(cluster)) return problem(`no cluster '${cluster}'. Clusters: ${clusters.join(', ')}.`)
  const entry = MESHES.find((mesh) => mesh.name === name)
  if (!entry) return problem(`no mesh '${name}'. Meshes: ${MESHES.map((mesh) => mesh.name).join(', ')}.`)
  const version = asked ?? entry.versions[0] ?? ''
  if (!entry.versions.includes(version)) {
    return problem(`no ${name} '${version}'. Known: ${[...entry.versions].sort(byNumber).join(', ')}.`)
  }
  const known = { ...entry.features, ...COMMON }
  const features = new Set(more.split('+').filter((word) => word !== ''))
  const strange = [...features].find((word) => !(word in known))
  if (strange !== undefined) return problem(`no '${strange}' of ${name}. Known: ${Object.keys(known).join(', ')}.`)
  return { ok: true, cluster, spec: { name, version, features } }
}

/** For `--help`: each mesh with its versions, the default first, and what can be added. */
export function meshHelp(): string {
  const lines = MESHES.flatMap(({ name, versions, features, about }) => [
    `  ${name.padEnd(8)} ${about}`,
    `           ${versions.map((version) => `@${version}`).join(' ')}`,
    ...Object.entries(features).map(featureLine),
  ])
  return [...lines, '  any', ...Object.entries(COMMON).map(featureLine)].join('\n')
}

const featureLine = ([word, what]: [string, string]) => `           +${word}: ${what}`

/** `2.9` comes before `2.10`. */
function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}
