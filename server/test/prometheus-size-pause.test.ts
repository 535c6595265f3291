import { expect, test } from 'vitest'
import { createPrometheus } from '../src/prometheus/create-prometheus.ts'
import { json, startFakePrometheus, vector } from './support/fake-prometheus.ts'

const never = new AbortController().signal
const REFRESH_SECONDS = 10

test('a question whose answer is too large is not asked at each refresh, and no other suffers', async () => {
  let nowSeconds = 1_000
  let large = true
  const many = vector(Array.from({ length: 20 }, (_, index) => ({ labels: { a: `${index}` }, value: '1' })))
  /** What the clock goes on by while an answer is read. */
  let readingSeconds = 0
  const prometheus = await startFakePrometheus(({ fields }, response) => {
    nowSeconds += readingSeconds
    json(response, 200, fields.get('query') === 'wide' && large ? many : vector([{ value: '1' }]))
  })
  const endpoint = { url: prometheus.url, headers: {}, authorization: async () => null, timeoutSeconds: 5 }
  const api = createPrometheus(
    { name: 'east', endpoints: [{ ...endpoint, maxResponseBytes: 100_000, maxSeries: 10 }] },
    { nowSeconds: () => nowSeconds, observe: () => undefined, refreshSeconds: REFRESH_SECONDS },
  )
  const timesAsked = () => prometheus.asked.filter(({ fields }) => fields.get('query') === 'wide').length
  const refused = async () => {
    const error: unknown = await api.query('wide', 1_000, never).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind: 'tooLarge', message: expect.stringMatching(/^more than 10 series/) })
    return (error as Error).message
  }

  try {
    expect(await refused()).not.toContain('next try')
    expect(await refused()).toMatch(/; next try in 8 s$/)
    expect(timesAsked()).toBe(1)
    expect((await api.query('narrow', 1_000, never)).data).toHaveLength(1)
    expect(api.status()[0]?.breaker.state).toBe('closed')

    // An hour of refreshes: every second one asks.
    for (let refresh = 0; refresh < 360; refresh += 1) {
      nowSeconds += REFRESH_SECONDS
      await refused()
    }
    expect(timesAsked()).toBeLessThanOrEqual(1 + 360 / 2 + 1)

    // Made smaller, it is back within two refreshes.
    large = false
    nowSeconds += 2 * REFRESH_SECONDS
    expect((await api.query('wide', 1_000, never)).data).toHaveLength(1)
    large = true
    expect(await refused()).not.toContain('next try')
    expect(await refused()).toMatch(/; next try in 8 s$/)

    // However long it took to read: two refreshes after it was asked it is asked again.
    nowSeconds += 2 * REFRESH_SECONDS
    readingSeconds = REFRESH_SECONDS * 0.6
    await refused()
    large = false
    nowSeconds += 2 * REFRESH_SECONDS - readingSeconds
    expect((await api.query('wide', 1_000, never)).data).toHaveLength(1)
  } finally {
    await api.close()
    await prometheus.close()
  }
})
