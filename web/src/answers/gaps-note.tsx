import type { Cluster, Gap } from '@goldseam/server/contract'
import { lasting } from '../format/age.ts'
import { Glyph } from '../ui/glyph.tsx'

interface GapsNoteProps {
  readonly clusters: readonly Cluster[]
  readonly gaps: readonly Gap[]
}

/** Who did not answer, one line a cluster. Shown even over an empty table, or "nothing here" would be a lie. */
export function GapsNote({ clusters, gaps }: GapsNoteProps) {
  const silent = clusters.filter(({ state }) => state !== 'ok')
  if (silent.length === 0 && gaps.length === 0) return null
  const named = new Set(silent.map(({ name }) => name))
  return (
    <ul className="gaps">
      {silent.map((cluster) => (
        <li key={cluster.name} className="note">
          <ClusterGap cluster={cluster} gaps={gaps.filter((gap) => gap.cluster === cluster.name)} />
        </li>
      ))}
      {gaps
        .filter((gap) => !named.has(gap.cluster))
        .map((gap) => (
          <li key={`${gap.cluster} ${gap.what} ${gap.detail}`} className="note">
            <Glyph mark="partial" />
            <strong>{gap.cluster}</strong>
            <span>
              no {gap.what}: {gap.detail || gap.why}
            </span>
          </li>
        ))}
    </ul>
  )
}

const EFFECT: Record<Cluster['state'], string> = {
  ok: '',
  stale: 'Its last good values are shown hatched.',
  partial: 'Some of its values are missing.',
  down: 'Nothing of it is shown, and what it calls or is called by is seen from one side.',
  pending: 'It has not answered yet.',
}

/** What is missing of one cluster, why, and what that does to the page. */
export function ClusterGap({ cluster, gaps }: { readonly cluster: Cluster; readonly gaps: readonly Gap[] }) {
  const old = cluster.ageSeconds
  const whys = [...new Set(gaps.map(({ what, why, detail }) => `${what}: ${detail || why}`))]
  return (
    <>
      <Glyph mark={cluster.state === 'partial' ? 'partial' : cluster.state === 'pending' ? 'none' : 'stale'} />
      <strong>{cluster.name}</strong>
      <span>
        {cluster.state === 'pending' ? 'reading' : cluster.state === 'partial' ? 'answers in part' : 'no answer'}
        {old !== null && cluster.state !== 'partial' ? ` for ${lasting(old)}` : ''}
        {cluster.reason ? ` (${cluster.reason})` : whys.length > 0 ? ` (${whys.join('; ')})` : ''}.
      </span>
      <span className="muted">{EFFECT[cluster.state]}</span>
    </>
  )
}
