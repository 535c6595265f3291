import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Scope } from './scope.ts'
import { answerHead, Time } from './snapshot.ts'

/** An alert that fires in a cluster's own Prometheus. */
export const Alert = z
  .object({
    cluster: z.string(),
    name: z.string(),
    severity: z.string().nullable(),
    summary: z.string().nullable(),
    since: Time.nullable(),
    labels: z.record(z.string(), z.string()),
    /** The workload its labels name; null where they name none that is seen. */
    workload: z.string().nullable(),
    /** The label that names it. */
    by: z.string().nullable(),
  })
  .meta({ id: 'Alert' })
export type Alert = z.infer<typeof Alert>

export const Alerts = z
  .object({
    ...answerHead,
    alerts: z.array(Alert),
    /** `unknown`: not asked yet, or it did not answer; `none`: its endpoint evaluates no rules. */
    sources: z.array(z.object({ cluster: z.string(), state: z.enum(['told', 'none', 'unknown']) })),
  })
  .meta({ id: 'Alerts' })
export type Alerts = z.infer<typeof Alerts>

export const alerts = endpoint({
  path: '/api/v1/alerts',
  summary: 'What fires in the Prometheus of every cluster, and which workload each alert is about',
  query: Scope,
  response: Alerts,
})
