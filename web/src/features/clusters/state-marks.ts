import type { ClusterState } from '@goldseam/server/contract'
import type { Mark } from '../../ui/glyph.tsx'

export const STATE_MARKS: Readonly<Record<ClusterState, Mark>> = {
  ok: 'ok',
  stale: 'stale',
  partial: 'partial',
  down: 'unknown',
  pending: 'none',
}
