import { z } from 'zod'
import { dialectKeys } from './dialect-schema.ts'
import { baseUrl, EndpointFile, endpointKeys, endpointOf } from './endpoint-schema.ts'
import { duration, text } from './fields.ts'

const labelName = text('the name of a label').regex(
  /^[a-zA-Z_][a-zA-Z0-9_]*$/,
  'use letters, digits and _ only, not starting with a digit',
)

const globs = z
  .array(text('a glob').min(1), { error: 'a list of names or globs such as [east, "prod-*"] is expected here' })
  .default([])

/** A year. */
export const MOST_FORGET_AFTER_SECONDS = 31_536_000

/** Names are part of ids and addresses; labels may hold anything. */
const shownName = text('a name')
  .max(63, 'use at most 63 characters')
  .regex(
    /^[a-zA-Z0-9]([-\w.]*[a-zA-Z0-9])?$/,
    'use letters, digits, -, _ and . only, with a letter or digit at both ends',
  )

export const DiscoverFile = z.strictObject(
  {
    url: baseUrl.optional(),
    ...endpointKeys,
    // What is left out follows from `url`; with `endpoints`, each has its own.
    endpoints: z
      .array(EndpointFile, {
        error: 'a list of endpoints such as [{ url: http://thanos.example.com:10902 }] is expected here',
      })
      .min(1, 'give at least one endpoint')
      .optional(),
    clusterLabel: labelName.default('cluster'),
    replicaLabels: z.array(labelName, { error: 'a list of labels such as [replica] is expected here' }).default([]),
    include: globs,
    exclude: globs,
    rename: z
      .record(z.string(), shownName, {
        error: 'a map of label values to names such as { prod-1: east } is expected here',
      })
      .default({}),
    refresh: duration(1, 3_600).optional(),
    forgetAfter: duration(60, MOST_FORGET_AFTER_SECONDS).prefault('1d'),
    maxClusters: z.int({ error: 'a whole number is expected here' }).min(1, 'use at least 1').default(100),
    dedup: z.boolean({ error: 'use true or false' }).default(true),
    partialResponse: z.boolean({ error: 'use true or false' }).default(true),
    ...dialectKeys,
  },
  { error: 'an endpoint that holds many clusters, such as { url: http://thanos.example.com:10902 }, is expected here' },
)

/** The endpoints of an entry: its own keys as one, or those it lists. */
export function endpointsOf({ url, endpoints, ...entry }: z.output<typeof DiscoverFile>) {
  if (endpoints !== undefined) return endpoints
  const keys = Object.fromEntries(
    Object.keys(endpointKeys).map((key) => [key, entry[key as keyof typeof endpointKeys]]),
  ) as Pick<typeof entry, keyof typeof endpointKeys>
  return url === undefined ? [] : [endpointOf({ url, ...keys })]
}
