import type { Cluster } from '@goldseam/server/contract'
import { lasting } from '../../format/age.ts'
import { Glyph, type Mark } from '../../ui/glyph.tsx'

const SIGNS: readonly (readonly [Mark, string])[] = [
  ['crit', 'its own doing'],
  ['critVia', 'explained by a suspect'],
  ['critOpen', 'cause not known'],
  ['warn', 'slower'],
  ['ok', 'healthy'],
  ['none', 'no traffic, or not measured'],
]

export function Legend({ clusters }: { readonly clusters: readonly Cluster[] }) {
  const callsAgeSeconds = Math.max(0, ...clusters.map(({ callsAgeSeconds: seconds = 0 }) => seconds))
  return (
    <div className="map-legend muted">
      <ul className="map-signs">
        {SIGNS.map(([mark, words]) => (
          <li key={mark}>
            <Glyph mark={mark} size={11} /> {words}
          </li>
        ))}
      </ul>
      <p>
        Line: width is the rate, colour is how the caller has it. Gold rails: a seam between clusters; solid, both ends
        are named; dashed, joined by a name; dotted, an assumption. Arrow keys walk along calls, Enter opens, [ and ] go
        from suspect to suspect, T shows the same as a table.
      </p>
      {callsAgeSeconds > 0 && (
        <p>
          Calls are as they were {lasting(callsAgeSeconds)} before: what workloads receive has not changed since by more
          than chance explains.
        </p>
      )}
    </div>
  )
}
