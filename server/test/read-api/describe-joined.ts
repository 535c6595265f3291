import { expect, test } from 'vitest'
import { type ManyWorld, STEP_SECONDS } from './many-world.ts'

interface Answer {
  readonly status: string
  readonly data: {
    readonly resultType: string
    readonly result: readonly ({ metric: Readonly<Record<string, string>> } & object)[]
  }
  readonly warnings?: readonly string[]
  readonly infos?: readonly string[]
  readonly error?: string
}

const P = 'native_seconds[1m]'
const JOINED = [
  'sum(queue)',
  'sum by (pod) (rate(requests_total[1m]))',
  'count by (job) (queue > 2)',
  'max(queue)',
  'min without (cluster, region, replica) (queue)',
  'avg by (pod) (queue)',
  'group by (pod) (queue)',
  '100 * (1 - sum(rate(requests_total{pod="a"}[1m])) / sum(rate(requests_total[1m])))',
  'sum by (pod) (queue) > 12',
  'max(queue) - min(queue)',
  'sum by (job) (sum by (job, pod) (queue))',
  'max by (job) (max without (cluster, region, replica) (queue))',
  'sum(sum by (cluster) (queue))',
  'sum by (pod) (up == 0) or sum by (pod) (queue)',
  'sum by (pod) (queue) and sum by (pod) (up == 0)',
  'sum by (pod) (queue) unless sum by (pod) (up == 0)',
  'sort_desc(sum by (pod) (queue))',
  'sum(queue{cluster="east"}) / sum(queue{cluster=~"west|nor.*"})',
  'sum by (le) (rate(seconds_bucket[1m]))',
  'histogram_quantile(0.99, sum by (le) (rate(seconds_bucket[1m])))',
  'histogram_quantile(0.5, sum by (pod, le) (rate(seconds_bucket[1m]))) / histogram_quantile(0.9, sum by (pod, le) (rate(seconds_bucket[1m])))',
  `histogram_quantile(0.9, sum(rate(${P})))`,
  `1000 * histogram_quantile(0.2, sum by (pod) (rate(${P})))`,
  `histogram_count(sum by (pod) (rate(${P})))`,
  `histogram_sum(sum(rate(${P})))`,
  `histogram_avg(sum(rate(${P})))`,
  `sum by (pod) (rate(${P}))`,
  'sum(native_seconds)',
]

const NOT_JOINED: readonly (readonly [query: string, why: string])[] = [
  ['queue', 'write sum(...) around'],
  ['rate(requests_total[1m])', 'cannot be made of what each of them says of rate()'],
  ['sum by (cluster) (queue)', 'keeps the clusters apart by itself'],
  ['topk(2, queue)', 'would have to be picked anew'],
  ['quantile(0.5, queue)', 'quantile of all clusters cannot be made'],
  ['stddev(queue)', 'stddev of all clusters cannot be made'],
  ['count(sum by (pod) (queue))', 'sum without the label "cluster"'],
  ['sum(max by (pod) (queue))', 'max without the label "cluster"'],
  ['max(sum(queue) / count(queue))', 'without the label "cluster"'],
  ['histogram_quantile(0.9, max by (le) (seconds_bucket))', 'percentiles are never averaged'],
  ['sum by (pod) (queue) / on (pod) sum by (pod, job) (queue)', '"on", "ignoring" and "group" are not joined'],
  [`2 * sum(rate(${P}))`, 'native histograms are joined as a sum'],
]

/** One answer over clusters of two endpoints, held against the Thanos Query that has the data of all. */
export function testJoined(running: () => ManyWorld): void {
  const at = (query: string) => ({ query, time: String(running().atSeconds) })
  const over = (query: string) => ({
    query,
    start: String(running().atSeconds - 8 * STEP_SECONDS),
    end: String(running().atSeconds),
    step: String(STEP_SECONDS),
  })
  const pathOf = (given: Readonly<Record<string, string>>) =>
    `/api/v1/${'step' in given ? 'query_range' : 'query'}?${new URLSearchParams(given)}`
  const joined = async (given: Readonly<Record<string, string>>) =>
    (await running().mixed.get(`/prometheus${pathOf({ ...given, join: '1' })}`)).body as Answer
  const theirs = async (given: Readonly<Record<string, string>>) =>
    (await (await fetch(running().fleet.thanosUrl + pathOf(given))).json()) as Answer

  test.each(JOINED)('joined over two endpoints it is what Thanos makes of all: %s', async (query) => {
    for (const given of [at(query), over(query)]) {
      const [told, read] = [await theirs(given), await joined(given)]
      expect(told.data.result.length).toBeGreaterThan(0)
      expect(read.infos).toEqual([expect.stringMatching(/^joined over north, east, west: /)])
      expect(read.data.resultType).toBe(told.data.resultType)
      const placed = query.startsWith('sort') && !('step' in given) ? (rows: Answer) => rows.data.result : sorted
      alike(placed(read), placed(told))
    }
  })

  test.each(NOT_JOINED)(
    'what cannot be joined says why, and each cluster answers for itself: %s',
    async (query, why) => {
      const { data, infos } = await joined(at(query))
      expect(infos?.at(-1)).toMatch(/^not joined: /)
      expect(infos?.at(-1)).toContain(why)
      for (const { metric } of data.result) expect(['north', 'east', 'west']).toContain(metric.cluster)
    },
  )

  test.each(['1.5, sum by (le)', '-2, sum by (pod, le)', '0.5, sum by (pod)'])(
    'joined it is warned of what a Prometheus warns of: histogram_quantile(%s (...))',
    async (start) => {
      const query = `histogram_quantile(${start} (rate(seconds_bucket[1m])))`
      const north = running().fleet.prometheus.get('north/a') ?? ''
      const told = (await (await fetch(north + pathOf(at(query)))).json()) as Answer
      expect(told.warnings).toHaveLength(1)
      expect((await joined(at(query))).warnings).toEqual(
        told.warnings?.map((text) => text.replace(/ \(\d+:\d+\)$/, '')),
      )
    },
  )

  test('evidence of Explore keeps the very answers, native histograms and their quantiles too', async () => {
    const { mixed } = running()
    const native = `sum by (pod) (rate(${P}))`
    const { start, end, step } = over(native)
    const iso = (seconds: string) => new Date(Number(seconds) * 1_000).toISOString().replace('.000Z', 'Z')
    const search = new URLSearchParams({ e1: native, from: iso(start), to: iso(end), step: `${step}s`, join: 'added' })
    const made = await fetch(`${mixed.url}/api/v1/links`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'evidence', address: `/explore?${search}`.replaceAll('+', '%20') }),
    })
    const { code, leftOut } = (await made.json()) as { code: string; leftOut: readonly string[] }
    expect(leftOut).toEqual([])
    for (const query of [native, `histogram_quantile(0.99, ${native}\n)`]) {
      const kept = await joined({ ...over(query), c: 'east,west,north', saved: code })
      expect(kept.data.result).toHaveLength(3)
      expect(kept).toEqual(await joined({ ...over(query), c: 'east,west,north' }))
    }
  })

  test('join is 1 or 0, and sides that cannot be joined are refused as ever', async () => {
    const wrong = (await running().mixed.get(`/prometheus${pathOf({ ...at('up'), join: 'yes' })}`)).body as Answer
    expect(wrong.error).toBe('invalid parameter "join": use 1 or 0')
    const refused = await joined(at('queue{cluster="east"} - on (pod) queue{cluster="north"}'))
    expect(refused).toMatchObject({ status: 'error', error: expect.stringContaining('two sides') })
  })
}

function sorted({ data }: Answer): Answer['data']['result'] {
  return data.result.toSorted((a, b) => (JSON.stringify(entries(a)) < JSON.stringify(entries(b)) ? -1 : 1))
}

function entries({ metric }: Answer['data']['result'][number]) {
  return Object.entries(metric).sort()
}

/** The same, where numbers may differ by the order they were added up in. */
function alike(read: unknown, told: unknown): void {
  if (Array.isArray(told)) {
    expect(read).toHaveLength(told.length)
    for (const [index, one] of told.entries()) alike((read as unknown[])[index], one)
  } else if (typeof told === 'object' && told !== null) {
    expect(Object.keys(read as object).sort()).toEqual(Object.keys(told).sort())
    for (const [key, one] of Object.entries(told)) alike((read as Record<string, unknown>)[key], one)
  } else if (typeof told === 'string' && told !== '' && Number.isFinite(Number(told))) {
    const [got, wanted] = [Number(read), Number(told)]
    expect(Math.abs(got - wanted), `${read} for ${told}`).toBeLessThanOrEqual(1e-9 * Math.abs(wanted))
  } else expect(read).toEqual(told)
}
