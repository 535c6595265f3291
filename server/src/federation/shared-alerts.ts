import type { ForwardedAnswer, PrometheusApi } from '../prometheus/api.ts'
import { ALERTS } from './alert-reader.ts'
import { SharedReads } from './shared-reads.ts'

/** Clusters are asked about their alerts behind the same snapshot, one after the other. */
const KEPT_MS = 2_000

export type SharedAlerts = SharedReads<ForwardedAnswer>

export function createSharedAlerts(): SharedAlerts {
  return new SharedReads(KEPT_MS)
}

/**
 * One of the clusters behind an endpoint: it tells the rules of all of them whoever asks, so that they are asked for once
 * for all.
 */
export function withSharedAlerts(api: PrometheusApi, alerts: SharedAlerts): PrometheusApi {
  return {
    ...api,
    forward(question, signal) {
      if (question.about !== ALERTS) return api.forward(question, signal)
      return alerts.read(ALERTS, signal, (all) => api.forward(question, all))
    },
  }
}
