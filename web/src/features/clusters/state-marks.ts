import type { ClusterState } from '@goldseam/server/contract'
import type { Mark } from '../../ui/glyph.tsx'

export const STATE_MARKS: Readonly<Record<ClusterState, Mark>> = {
  ok: 'ok',
  stale: 'stale',
  partial: 'partial',
  down: 'unknown',
  pending: 'none',
}

export const STATE_WORDS: Readonly<Record<ClusterState, string>> = {
  ok: 'ok',
  stale: 'no answer',
  partial: 'partial',
  down: 'no answer',
  pending: 'being read',
}
