import { MESHES } from '../mesh/catalog.ts'

export interface Pair {
  readonly east: string
  readonly west: string
  /** Whether the caller's metrics tell the host it asks for: what joins it to what is behind west's ingress. */
  readonly joined: boolean
}

const DEFAULT = 'linkerd@2.17'

/** Every mesh and version as the caller's and as the callees', against Linkerd 2.17; and some that differ on both sides. */
export const ALL_PAIRS: readonly Pair[] = [
  ...all().map((east) => ({ east, west: DEFAULT, joined: tellsHost(east) })),
  ...all().map((west) => ({ east: DEFAULT, west, joined: true })),
  ...[
    ['linkerd@2.14', 'istio'],
    ['linkerd@2.20', 'linkerd@2.20'],
    ['linkerd@2.20+hostnames', 'linkerd@2.20'],
    ['istio', 'istio'],
    ['istio@ambient', 'hubble'],
    ['envoy', 'otel'],
    ['otel', 'envoy'],
    ['hubble', 'istio@recorded'],
  ].map(([east = '', west = '']) => ({ east, west, joined: tellsHost(east) })),
]

function all(): string[] {
  const plain = MESHES.flatMap(({ name, versions }) => versions.map((version) => `${name}@${version}`))
  return [...plain, 'linkerd@2.17+no-hostnames', 'linkerd@2.20+hostnames', 'linkerd@2.20+authority']
}

/** Of Linkerd only 2.8, 2.17 and whoever switched it on; every other mesh names what is outside of it. */
function tellsHost(mesh: string): boolean {
  if (!mesh.startsWith('linkerd')) return true
  return /@2\.8$|@2\.17$|\+hostnames/.test(mesh)
}
