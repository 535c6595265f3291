import { samplesOfSlowestJob } from '../dialects/promql.ts'
import type { PrometheusApi } from '../prometheus/api.ts'

/** Ten samples at the usual slowest of a minute: one more or less at the edge does not matter then. */
const SPAN_SECONDS = 600
const USUAL_SECONDS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600]
const CLOSE_ENOUGH = 1.26

/**
 * Tells the scrape interval as the config says it, else as the server does, else as the spacing of the samples shows
 * it: a Thanos or Mimir scrapes nothing and has no such page.
 */
export function withScrapeInterval(
  api: PrometheusApi,
  givenSeconds: number | null,
  clock: () => number,
): PrometheusApi {
  return {
    ...api,
    async scrapeIntervalSeconds(signal) {
      const told = await api.scrapeIntervalSeconds(signal)
      if (givenSeconds !== null || told !== null) return givenSeconds ?? told
      const { data } = await api.query(samplesOfSlowestJob(SPAN_SECONDS), clock(), signal, 'scrape interval')
      const [sample] = data
      const samples = sample?.value ?? Number.NaN
      return samples > 0 ? near(SPAN_SECONDS / samples) : null
    },
  }
}

/** The usual interval it comes close to, or itself: scrapes are not counted to the fraction. */
function near(seconds: number): number {
  const off = (usual: number) => Math.max(usual / seconds, seconds / usual)
  const closest = USUAL_SECONDS.reduce((best, usual) => (off(usual) < off(best) ? usual : best))
  return off(closest) < CLOSE_ENOUGH ? closest : Math.ceil(seconds)
}
