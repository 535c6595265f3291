import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rateFromBirth, selector } from '../../src/dialects/promql.ts'
import { remoteWrite, STALE } from '../engines/remote-write.ts'
import { type RealPrometheus, startPrometheus } from '../support/start-prometheus.ts'

const binary = process.env.PROMETHEUS_BIN ?? ''
const WINDOW_SECONDS = 3_600
const AT_SECONDS = Math.floor(Date.now() / 60_000) * 60 - 60

describe.skipIf(binary === '')('counters over a long window, by a real Prometheus', () => {
  let real: RealPrometheus
  beforeAll(async () => {
    real = await startPrometheus(binary, 'global: {}\nstorage: { tsdb: { out_of_order_time_window: 2d } }\n')
    const target = { job: 'mesh', instance: 'a' }
    // Minutes before the end; the hour before as well.
    const ages = Array.from({ length: 91 }, (_, step) => 90 - step)
    const series = (labels: Record<string, string>, at: (age: number) => number | typeof STALE | null) => ({
      labels: { ...target, ...labels },
      samples: ages.flatMap((age) => {
        const value = at(age)
        return value === null ? [] : [{ atMs: (AT_SECONDS - 60 * age) * 1_000, value }]
      }),
    })
    await remoteWrite(real.url, [
      series({ __name__: 'up' }, () => 1),
      // Failed 600 times, was forgotten, and failed once more just now.
      series({ __name__: 'reborn' }, (age) => {
        if (age > 50) return null
        if (age >= 30) return (50 - age) * 30
        if (age === 29) return STALE
        return age <= 1 ? 1 : null
      }),
      // Failed for the first time, 7 times at once.
      series({ __name__: 'born' }, (age) => (age <= 2 ? 7 : null)),
      // Failed all the time.
      series({ __name__: 'lasting' }, (age) => 600 - 6 * age),
    ])
  })
  afterAll(() => real?.close())

  const counted = async (metric: string) => {
    const query = `sum(${rateFromBirth(WINDOW_SECONDS, selector(metric, []))})`
    const response = await fetch(`${real.url}/api/v1/query?${new URLSearchParams({ query, time: `${AT_SECONDS}` })}`)
    const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } }
    return Number(data.result[0]?.value[1]) * WINDOW_SECONDS
  }

  test('what a series counted in an earlier life within the window is not lost', async () => {
    expect(await counted('reborn')).toBeGreaterThan(595)
    expect(await counted('reborn')).toBeLessThan(640)
  })

  test('its first increase counts whole, and what lasts is a rate', async () => {
    expect(await counted('born')).toBeCloseTo(7, 9)
    expect(await counted('lasting')).toBeCloseTo(360, 6)
  })
})
