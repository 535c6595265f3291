import { spacingOfSlowestJob } from '../dialects/promql.ts'
import type { PrometheusApi } from '../prometheus/api.ts'

const USUAL_SECONDS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600]
const CLOSE_ENOUGH = 1.1

/**
 * Tells the scrape interval as the config says it, else as the server does, else as the spacing of the samples shows
 * it: a Thanos or Mimir scrapes nothing and has no such page. Of one cluster among many (`isOneOfMany`) its samples tell
 * first: what the server scrapes itself says nothing of what others write into it.
 */
export function withScrapeInterval(
  api: PrometheusApi,
  givenSeconds: number | null,
  clock: () => number,
  isOneOfMany = false,
): PrometheusApi {
  async function ofSamples(signal: AbortSignal): Promise<number | null> {
    const { data } = await api.query(spacingOfSlowestJob(), clock(), signal, 'scrape interval')
    const [sample] = data
    const spacing = sample?.value ?? Number.NaN
    return spacing > 0 ? near(spacing) : null
  }
  return {
    ...api,
    async scrapeIntervalSeconds(signal) {
      // Asked in any case: its version comes with it. The page may be closed to us, or fail, where it answers questions.
      const ofServer = await api.scrapeIntervalSeconds(signal).catch(() => null)
      if (givenSeconds !== null) return givenSeconds
      return isOneOfMany ? ((await ofSamples(signal)) ?? ofServer) : (ofServer ?? (await ofSamples(signal)))
    },
  }
}

/** The usual interval it comes close to, or itself: a busy scraper is late at times. */
function near(seconds: number): number {
  const off = (usual: number) => Math.max(usual / seconds, seconds / usual)
  const closest = USUAL_SECONDS.reduce((best, usual) => (off(usual) < off(best) ? usual : best))
  return off(closest) < CLOSE_ENOUGH ? closest : Math.ceil(seconds)
}
