import { z } from 'zod'

/** A measured number, or null where nothing was measured. Never 0 for absent. */
export const Measured = z.number().nullable()

/** The eight truth states: how a number has to be read. */
export const Truth = z
  .enum(['value', 'zero', 'noTraffic', 'neverSeen', 'stale', 'partial', 'lowSample', 'offScale'])
  .meta({ id: 'Truth' })
export type Truth = z.infer<typeof Truth>

export const LatencySeconds = z
  .object({ mean: Measured, p50: Measured, p95: Measured, p99: Measured, p999: Measured })
  .meta({ id: 'LatencySeconds' })
export type LatencySeconds = z.infer<typeof LatencySeconds>

/** Golden signals over one window. `sampleCount` is the number of requests in it. */
export const Golden = z
  .object({
    requestsPerSecond: Measured,
    failuresPerSecond: Measured,
    successRatio: Measured,
    sampleCount: Measured,
    /**
     * What the percentiles are made of: how many requests, and how much older than the rest they are (buckets are
     * asked for more seldom). Null where there are none.
     */
    percentiles: z.object({ sampleCount: z.number(), ageSeconds: z.number() }).nullable(),
    inFlight: Measured,
    latencySeconds: LatencySeconds,
  })
  .meta({ id: 'Golden' })
export type Golden = z.infer<typeof Golden>

export const Truths = z
  .object({
    requestsPerSecond: Truth,
    successRatio: Truth,
    mean: Truth,
    p50: Truth,
    p95: Truth,
    p99: Truth,
    p999: Truth,
  })
  .meta({ id: 'Truths' })
export type Truths = z.infer<typeof Truths>

/** The bucket a percentile fell into, in seconds; the upper end is null when it is beyond the last finite bucket. */
export const Bucket = z.tuple([z.number(), z.number().nullable()])
export const Bounds = z
  .object({ p50: Bucket.nullable(), p95: Bucket.nullable(), p99: Bucket.nullable(), p999: Bucket.nullable() })
  .meta({ id: 'Bounds' })
export type Bounds = z.infer<typeof Bounds>
