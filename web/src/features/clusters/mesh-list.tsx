import type { ClusterStatus } from '@goldseam/server/contract'

/** Which mesh's numbers are shown where, and what they cannot tell: once a mesh, for all clusters and screens. */
export function MeshList({ clusters }: { readonly clusters: readonly Pick<ClusterStatus, 'name' | 'meshes'>[] }) {
  const meshes = clusters.flatMap(({ name: cluster, meshes: spoken }) => spoken.map((mesh) => ({ cluster, ...mesh })))
  if (meshes.length === 0) return null
  return (
    <section className="panel clusters-unresolved">
      <h2>What the metrics tell, and what they cannot</h2>
      <ul className="clusters-meshes">
        {[...new Set(meshes.map(({ name }) => name))].map((name) => {
          const spoken = meshes.filter((mesh) => mesh.name === name)
          const limits = [...new Set(spoken.flatMap((mesh) => mesh.limits.map(({ text }) => text)))]
          return (
            <li key={name}>
              <strong>{name}</strong>{' '}
              {spoken
                .map(
                  ({ cluster, workloads, alsoSeen }) =>
                    `${workloads} in ${cluster}${alsoSeen > 0 ? ` (${alsoSeen} more are shown by a richer mesh)` : ''}`,
                )
                .join(', ')}
              <ul className="muted">
                {limits.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
