import { z } from 'zod'
import { field } from '../../scope/fields.ts'

export const DAYS = [1, 7, 14, 30] as const
const DEFAULT_DAYS = 7

/** `gone`: the cluster that is taken to be gone; `split`: where its requests go instead, `east:70,north:30`. */
export const failoverFields = {
  gone: field(z.string().max(200), ''),
  split: field(z.string().max(2_000), ''),
  days: field(z.coerce.number().int().min(1).max(30), DEFAULT_DAYS),
}
