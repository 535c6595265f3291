import { z } from 'zod'
import { Golden, Measured } from './golden.ts'

/** Bytes and connections: what is known of traffic in which no requests are seen. */
export const Tcp = z
  .object({ bytesPerSecondIn: Measured, bytesPerSecondOut: Measured, openConnections: Measured })
  .meta({ id: 'Tcp' })
export type Tcp = z.infer<typeof Tcp>

/** A fact that a proxy counts beside the golden signals; names carry the unit, `text` says it in words. */
export const Signal = z.object({ name: z.string(), value: z.number(), text: z.string() }).meta({ id: 'Signal' })
export type Signal = z.infer<typeof Signal>

/** What the metrics of a mesh cannot tell. */
export const Limit = z.object({ about: z.string(), text: z.string() }).meta({ id: 'Limit' })
export type Limit = z.infer<typeof Limit>

/** A mesh as it is read in one cluster; `workloads`: those whose numbers come from it. */
export const Mesh = z
  .object({ name: z.string(), workloads: z.number(), alsoSeen: z.number(), limits: z.array(Limit) })
  .meta({ id: 'Mesh' })
export type Mesh = z.infer<typeof Mesh>

/** A route that somebody wrote: after retries, and each attempt where that is counted. */
export const Route = z
  .object({
    direction: z.enum(['inbound', 'outbound']),
    service: z.string(),
    route: z.string(),
    effective: Golden,
    actual: Golden.nullable(),
  })
  .meta({ id: 'Route' })
export type Route = z.infer<typeof Route>
