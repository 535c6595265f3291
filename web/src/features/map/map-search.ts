import { z } from 'zod'
import { field } from '../../scope/fields.ts'
import { momentFields } from '../../scope/use-asking-at.ts'
import { DIRECTIONS, type Direction } from './geometry.ts'
import { MAP_GROUPS } from './groups.ts'

export const mapFields = {
  show: field(z.enum(['problem', 'all']), 'problem'),
  /** What a box stands for; unset: a workload, or its namespace where there are too many. */
  group: field(z.enum([...MAP_GROUPS, '']), ''),
  /** A workload, or `from~to` for a call. */
  sel: field(z.string().max(1_600), ''),
  /** Where calls lead: right, or down. */
  dir: field(z.enum(DIRECTIONS), 'lr' as Direction),
  ...momentFields,
  /** Unset: the map where there is room for it, rows on a phone. */
  view: field(z.enum(['map', 'table', '']), ''),
}
