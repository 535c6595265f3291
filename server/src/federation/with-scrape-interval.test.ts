import { expect, test } from 'vitest'
import type { PrometheusApi } from '../prometheus/api.ts'
import { UpstreamError } from '../prometheus/upstream-error.ts'
import { withScrapeInterval } from './with-scrape-interval.ts'

const signal = new AbortController().signal

let asked = 0

async function intervalOf(
  told: number | null | Error,
  spacing: number | null,
  given: number | null,
  isOneOfMany = false,
) {
  const api = {
    scrapeIntervalSeconds: async () => {
      asked += 1
      if (told instanceof Error) throw told
      return told
    },
    query: async () => ({ data: spacing === null ? [] : [{ labels: {}, value: spacing }], warnings: [] }),
  } as unknown as PrometheusApi
  return withScrapeInterval(api, given, () => 1_000, isOneOfMany).scrapeIntervalSeconds(signal)
}

test.each([
  { told: 15, spacing: 10, given: 30, want: 30 },
  { told: 15, spacing: 10, given: null, want: 15 },
  { told: null, spacing: 15, given: null, want: 15 },
  // Its page failed: no reason to know nothing.
  { told: new UpstreamError('unreachable', 'HTTP 503'), spacing: 15, given: 30, want: 30 },
  { told: new UpstreamError('unreachable', 'HTTP 503'), spacing: 15, given: null, want: 15 },
  { told: null, spacing: 14.987, given: null, want: 15 },
  { told: null, spacing: 62.5, given: null, want: 60 },
  { told: null, spacing: 0.5, given: null, want: 1 },
  // Nobody's usual one, and none of its neighbours.
  { told: null, spacing: 25, given: null, want: 25 },
  { told: null, spacing: 44.6, given: null, want: 45 },
  { told: null, spacing: null, given: null, want: null },
  { told: null, spacing: Number.NaN, given: null, want: null },
])('config $given, server $told, $spacing s between samples: $want s', async ({ told, spacing, given, want }) => {
  expect(await intervalOf(told, spacing, given)).toBe(want)
})

test.each([
  // The agents of the clusters write every minute into a server that scrapes itself.
  { told: 15, spacing: 60, given: null, want: 60 },
  { told: 15, spacing: null, given: null, want: 15 },
  { told: 15, spacing: 60, given: 30, want: 30 },
])('one of many: config $given, server $told, $spacing s between its samples: $want s', async (one) => {
  expect(await intervalOf(one.told, one.spacing, one.given, true)).toBe(one.want)
})

test.each([true, false])(
  'the server is asked in any case, as its version comes with that; one of many: %s',
  async (many) => {
    asked = 0
    expect(await intervalOf(15, 60, 30, many)).toBe(30)
    await intervalOf(null, 60, null, many)
    expect(asked).toBe(2)
  },
)
