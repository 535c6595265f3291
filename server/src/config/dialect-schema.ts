import { z } from 'zod'
import { text } from './fields.ts'
import { DIALECT_NAMES } from './settings.ts'

const metricName = text('the name of a metric').regex(/^[a-zA-Z_:][a-zA-Z0-9_:]*$/, 'this is not the name of a metric')

/** Which metrics to read, wherever clusters are configured. */
export const dialectKeys = {
  dialects: z
    .union([z.literal('auto'), z.array(z.enum(DIALECT_NAMES)).min(1)], {
      error: `use auto, or a list of: ${DIALECT_NAMES.join(', ')}`,
    })
    .default('auto'),
  overrides: z
    .record(metricName, metricName, {
      error: 'names such as { istio_requests_total: team:requests } are expected here',
    })
    .default({}),
}
