import type { Dialect } from './dialect.ts'
import { linkerd } from './linkerd.ts'

/** Every dialect Goldseam speaks: a new one is one file, its fixtures, and a line here. */
export const dialects: readonly Dialect[] = [linkerd]
