import { z } from 'zod'
import { field } from '../../scope/fields.ts'

export const VIEWS = ['tree', 'map', 'table'] as const
export type View = (typeof VIEWS)[number]

/** `open`: what of the tree was opened or closed by hand. `deps`: how the dependencies are shown. */
export const treeFields = { open: field(z.string().max(1_500), ''), deps: field(z.enum(VIEWS), 'tree' as View) }
