import { z } from 'zod'
import { field } from '../../scope/fields.ts'

export const VIEWS = ['tree', 'map', 'table'] as const
export type View = (typeof VIEWS)[number]

export const TABS = ['deps', 'callers', 'pods', 'latency', 'log', 'events', 'queries'] as const
export type Tab = (typeof TABS)[number]

/** Which part of the page is open. */
export const tabFields = { tab: field(z.enum(TABS), 'deps' as Tab) }

/** How far the tree opens by itself: down to the suspect, to everything in trouble, all the way, or its own calls only. */
export const EXPANDS = ['suspects', 'trouble', 'all', 'calls'] as const
export type Expand = (typeof EXPANDS)[number]

/**
 * `open`: what of the tree was opened or closed by hand. `deps`: how the dependencies are shown. `sel`: the row that is
 * marked, a workload's id or `from~to` for one call.
 */
export const treeFields = {
  sel: field(z.string().max(1_600), ''),
  open: field(z.string().max(1_500), ''),
  deps: field(z.enum(VIEWS), 'tree' as View),
  expand: field(z.enum(EXPANDS), 'suspects' as Expand),
}

/** The unit of the latency axis; `auto`: seconds where it reaches one. */
export const UNITS = ['auto', 'ms', 's'] as const
export const chartFields = { unit: field(z.enum(UNITS), 'auto' as (typeof UNITS)[number]) }
