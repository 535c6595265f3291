import { z } from 'zod'
import { field } from '../../scope/fields.ts'

/** `sel`: the cluster that a link points at. */
export const clustersFields = { sel: field(z.string().max(253), '') }
