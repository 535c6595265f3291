import type { Workload } from '@goldseam/server/contract'
import { Glyph } from '../ui/glyph.tsx'
import { markOf } from './status.ts'
import { statusText } from './status-text.ts'

interface StatusGlyphProps {
  readonly workload: Workload
  readonly size?: number
}

/** How a workload is, as a shape; what it is held against is its tooltip and what the ear is told. */
export function StatusGlyph({ workload, size = 12 }: StatusGlyphProps) {
  return <Glyph mark={markOf(workload)} size={size} label={statusText(workload)} />
}
