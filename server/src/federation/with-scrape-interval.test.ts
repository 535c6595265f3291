import { expect, test } from 'vitest'
import type { PrometheusApi } from '../prometheus/api.ts'
import { withScrapeInterval } from './with-scrape-interval.ts'

const signal = new AbortController().signal

function intervalOf(told: number | null, samples: number | null, given: number | null = null) {
  const api = {
    scrapeIntervalSeconds: async () => told,
    query: async () => ({ data: samples === null ? [] : [{ labels: {}, value: samples }], warnings: [] }),
  } as unknown as PrometheusApi
  return withScrapeInterval(api, given, () => 1_000).scrapeIntervalSeconds(signal)
}

test.each([
  { told: 15, samples: 10, given: 30, want: 30 },
  { told: 15, samples: 10, given: null, want: 15 },
  // Within ten minutes, one more or less at the edges.
  { told: null, samples: 40, given: null, want: 15 },
  { told: null, samples: 9, given: null, want: 60 },
  { told: null, samples: 11, given: null, want: 60 },
  { told: null, samples: 5, given: null, want: 120 },
  { told: null, samples: 299, given: null, want: 2 },
  { told: null, samples: 1_200, given: null, want: 1 },
  { told: null, samples: null, given: null, want: null },
  { told: null, samples: Number.NaN, given: null, want: null },
])('config $given, server $told, $samples samples: $want s', async ({ told, samples, given, want }) => {
  expect(await intervalOf(told, samples, given)).toBe(want)
})
