import { anyAnswer } from '../dialects/promql.ts'
import type { PrometheusApi } from '../prometheus/api.ts'
import { isTrouble, UpstreamError } from '../prometheus/upstream-error.ts'
import { within } from './within.ts'

/** One that is slow is not waited for: that it is slow may be why it is left alone. */
const PATIENCE_SECONDS = 1

/**
 * Whether a cluster that is to be left alone for a while still answers at all, by a question that costs it nothing. False
 * only where it is known not to.
 */
export async function isStillThere(api: PrometheusApi, atSeconds: number, signal: AbortSignal): Promise<boolean> {
  const asked = api.query(anyAnswer(), atSeconds, signal, 'whether it answers').then(
    () => true,
    (error: unknown) => !(error instanceof UpstreamError && isTrouble(error)),
  )
  return (await within(PATIENCE_SECONDS, asked)) ?? true
}
