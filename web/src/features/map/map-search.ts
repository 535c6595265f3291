import { TimeText } from '@goldseam/server/contract'
import { z } from 'zod'
import { field } from '../../scope/fields.ts'

export const mapFields = {
  show: field(z.enum(['problem', 'all']), 'problem'),
  /** A workload, or `from~to` for a call. */
  sel: field(z.string().max(1_600), ''),
  /** Unset: the map where there is room for it, rows on a phone. */
  /** A moment of the window; unset: its end. */
  at: field(TimeText.or(z.literal('')), ''),
  view: field(z.enum(['map', 'table', '']), ''),
}
