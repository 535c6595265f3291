import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engines } from '../engines/find-engines.ts'
import { asking, fields, type Metric, type Result, sorted } from './asking.ts'
import { testChosen } from './describe-chosen.ts'
import { testLists } from './describe-lists.ts'
import { testOwnLabel } from './describe-own-label.ts'
import { type RealPair, startRealPair } from './real-pair.ts'

export function describeReadApi(engines: Engines & { prometheus2: string }): void {
  describe('the read API over a real Prometheus 2 and 3', () => {
    let pair: RealPair
    const running = () => pair
    const { prefix, ask, ours, data, result, infosOf, range, separately } = asking(running)

    beforeAll(async () => {
      pair = await startRealPair(engines)
    })
    afterAll(() => pair?.close())

    const EXACT = [
      'http_requests_total',
      'rate(http_requests_total[1m])',
      'sum by (job, cluster) (http_requests_total)',
      'http_requests_total / queue',
      'odd',
      'page_seconds',
      'rate(page_seconds_count[5m:15s])',
      '-queue * 2 > bool 0',
      'queue * 5. or offset',
      'only_old',
      'only_old or queue{pod="a"}',
      'absent_of_all',
    ]
    test.each(EXACT)('as each tells itself, at an instant and over a range: %s', async (query) => {
      const plain = query.replace(', cluster', '')
      const time = String(pair.atSeconds)
      const instant = await result(query)
      expect({ ...instant, result: sorted(instant.result) }).toEqual(await separately('query', { query: plain, time }))
      const over = (await data('query_range', { query, ...range() })) as Result
      expect({ ...over, result: sorted(over.result) }).toEqual(
        await separately('query_range', { query: plain, ...range() }),
      )
      expect(await infosOf(query)).toEqual([])
    })

    test('native histograms pass unharmed', async () => {
      const { result: rows } = await result('page_seconds', { time: String(Date.now() / 1_000) })
      expect(rows).toEqual([
        {
          metric: { __name__: 'page_seconds', cluster: 'new', instance: expect.any(String), job: 'page' },
          histogram: [
            expect.any(Number),
            { count: '9', sum: '12.5', buckets: expect.arrayContaining([[0, '0.1', '1', '2']]) },
          ],
        },
      ])
      const end = String(Date.now() / 1_000)
      const over = (await data('query_range', { query: 'page_seconds', start: end, end, step: '1' })) as Result
      expect(over.result[0]).toHaveProperty('histograms')
    })

    test('a matrix at an instant', async () => {
      const query = 'queue{pod="b"}[1m]'
      const told = await result(query)
      expect({ ...told, result: sorted(told.result) }).toEqual(
        await separately('query', { query, time: String(pair.atSeconds) }),
      )
      expect(told.resultType).toBe('matrix')
    })

    test.each([
      ['{cluster="new"}', ['new']],
      ['{cluster!="new"}', ['old']],
      ['{cluster=~"o.d|x"}', ['old']],
      ['{cluster=~"ol"}', []],
      ['{cluster!~"n.*"}', ['old']],
      ['{job=`web`, \'cluster\'="old",}'.replace("'cluster'", 'cluster'), ['old']],
      ['{cluster=~".+"}', ['new', 'old']],
      ['{cluster=~"(a+)+$", cluster!=""}', []],
      ['{cluster=""}', []],
    ])('conditions on the cluster: %s', async (matchers, clusters) => {
      const { result: rows } = await result(`queue${matchers}`)
      expect([...new Set(rows.map(({ metric }) => metric.cluster))].sort()).toEqual(clusters)
      const series = (await data('series', { 'match[]': `queue${matchers}` })) as Metric[]
      expect([...new Set(series.map(({ cluster }) => cluster))].sort()).toEqual(clusters)
    })

    test('a whole cluster, and a name in quotes', async () => {
      const { result: rows } = await result('count({cluster="old"})')
      const { body } = await ask(
        pair.urls.get('old') ?? '',
        'query',
        fields({ query: 'count({__name__!=""})', time: String(pair.atSeconds) }),
      )
      expect(rows.map(({ value }) => value)).toEqual((body.data as Result).result.map(({ value }) => value))
      const quoted = await result('{"queue", "cluster"="new", pod="a"}')
      expect(quoted.result).toHaveLength(1)
    })

    test('the parameter `c` chooses too, and says what it does not know', async () => {
      expect((await result('queue', { c: 'new' })).result.map(({ metric }) => metric.cluster)).toEqual(
        Array(3).fill('new'),
      )
      expect((await result('queue', { c: 'new,old' })).result).toHaveLength(6)
      expect(await ours('query', { query: 'queue', c: 'nowhere' })).toEqual({
        status: 400,
        body: {
          status: 'error',
          errorType: 'bad_data',
          error: 'invalid parameter "c": cluster nowhere is not configured here (known: old, new)',
        },
      })
    })

    test('each selector has its own clusters', async () => {
      const { result: rows } = await result(
        'queue{cluster="old",pod="a"} or http_requests_total{cluster="new",pod="b"}',
      )
      expect(sorted(rows).map(({ metric: { __name__, cluster, pod } }) => [__name__, cluster, pod])).toEqual([
        ['http_requests_total', 'new', 'b'],
        ['queue', 'old', 'a'],
      ])
      const refused = await ours('query', { query: 'sum(queue{cluster="old"}) / sum(queue{cluster="new"})' })
      expect(refused).toMatchObject({ status: 400, body: { errorType: 'bad_data' } })
      expect(refused.body.error).toContain('one from old, the other from new')
    })

    test('a label of that name gives way, and nothing is lost', async () => {
      const { result: rows } = await result('labelled{cluster="new"}')
      expect(rows.map(({ metric }) => [metric.cluster, metric.exported_cluster]).sort()).toEqual([
        ['new', 'another'],
        ['new', 'their-own'],
      ])
    })

    test.each([
      ['sum(queue)', 'sum without the label "cluster"'],
      ['count by (job) (queue)', 'count without the label "cluster"'],
      ['sum without (cluster, pod) (queue)', 'sum without the label "cluster"'],
      ['topk(1, queue)', 'topk without the label "cluster"'],
      ['absent(queue)', 'absent() was evaluated in each cluster'],
      ['scalar(sum(only_old))', 'scalar() was evaluated'],
      ['queue / on (pod) http_requests_total', 'matching without the label "cluster"'],
      ['queue / ignoring (cluster) http_requests_total', 'matching without the label "cluster"'],
      ['histogram_quantile(0.9, max by (le) (page_seconds_bucket))', 'max without the label "cluster"'],
      ['label_replace(queue, "x", "$1", "cluster", "(.*)")', 'label_replace was evaluated'],
      ['sum(queue) or vector(0)', 'the side of "or" that reads no series'],
    ])('what would need all data says so: %s', async (query, words) => {
      expect((await infosOf(query)).join('\n')).toContain(words)
      for (const { metric } of (await result(query)).result) expect(['old', 'new']).toContain(metric.cluster)
      // Nothing to say where there is only one, which does not know its own name though.
      const ofOne = query.replaceAll(/queue|only_old|page_seconds_bucket|http_requests_total/g, '$&{cluster="old"}')
      expect(await infosOf(ofOne)).toEqual(query.includes('"cluster"') ? [expect.stringContaining(words)] : [])
    })

    test('a quantile over clusters is one of all their buckets, without a cluster, and says how', async () => {
      const query = 'histogram_quantile(0.9, sum by (le) (page_seconds_bucket))'
      // Only one of them has classic buckets.
      const time = String(Math.floor(Date.now() / 1_000))
      const merged = (await ours('query', { query, time })).body
      const alone = (await ask(pair.urls.get('old') ?? '', 'query', fields({ query, time }))).body
      expect((alone.data as Result).result).toHaveLength(1)
      expect(merged.data).toEqual(alone.data)
      expect(merged.infos).toEqual([
        expect.stringMatching(/^joined over old: buckets were added up.*; no such series in new$/),
      ])
      const each = await result('histogram_quantile(0.9, sum by (le, cluster) (page_seconds_bucket))', { time })
      expect(each.result.map(({ metric }) => metric)).toEqual([{ cluster: 'old' }])
    })

    test.each([
      ['sum by (cluster) (queue)'],
      ['sum without (pod) (queue)'],
      ['topk by (cluster) (1, queue)'],
      ['queue / on (cluster, pod) http_requests_total'],
      ['queue > 3'],
    ])('what does not need it is silent: %s', async (query) => {
      expect(await infosOf(query)).toEqual([])
    })

    test('`sort` holds over all clusters', async () => {
      const values = async (query: string) =>
        (await result(query)).result.map(({ value }) => Number((value as string[])[1]))
      const up = await values('sort(http_requests_total)')
      expect(up).toEqual(up.toSorted((a, b) => a - b))
      expect(await values('sort_desc(http_requests_total)')).toEqual(up.toReversed())
    })

    testChosen(running)

    test.each<[string, Record<string, string>]>([
      ['query', { query: 'sum(' }],
      ['query', { query: '' }],
      ['query', { query: 'queue{cluster="new"} + sum(rate(queue))' }],
      ['query', { query: 'queue{cluster=~"("}' }],
      ['query', { query: 'queue{job=~"("}' }],
      ['query', { query: 'nosuch(queue)' }],
      ['query', { query: '{}' }],
      ['query', { query: 'queue', time: 'yesterday' }],
      ['query', { query: 'queue', timeout: 'soon' }],
      ['query', { query: 'queue', limit: 'x' }],
      ['query', { query: 'queue', limit: '-1' }],
      ['query', { query: 'label_replace(queue, "pod", "x", "", "")', time: '$now' }],
      ['query_range', { query: 'queue', start: 'x', end: '2', step: '1' }],
      ['query_range', { query: 'queue', start: '1', end: '', step: '1' }],
      ['query_range', { query: 'queue', start: '2', end: '1', step: '1' }],
      ['query_range', { query: 'queue', start: '1', end: '2', step: '0' }],
      ['query_range', { query: 'queue', start: '1', end: '2', step: '5x' }],
      ['query_range', { query: 'queue', start: '1', end: '200000', step: '1s' }],
      ['query_range', { query: 'queue[5m]', start: '1', end: '2', step: '1' }],
      ['series', {}],
      ['series', { 'match[]': 'queue{' }],
      ['series', { 'match[]': '{job=""}' }],
      ['series', { 'match[]': '{}' }],
      ['labels', { 'match[]': '{}' }],
      ['labels', { 'match[]': '{job=~".*"}' }],
      ['label/pod/values', { 'match[]': '{}' }],
      ['series', { 'match[]': 'rate(queue[5m])' }],
      ['series', { 'match[]': 'queue', start: 'x' }],
      ['labels', { end: 'x' }],
      ['label/pod/values', { limit: 'x' }],
      ['metadata', { limit: 'x' }],
      ['metadata', { limit_per_metric: 'x' }],
      ['format_query', { query: 'sum(' }],
    ])('refused with the very words of Prometheus 3: %s %o', async (path, given) => {
      const asked = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, value === '$now' ? String(pair.atSeconds) : value]),
      )
      const theirs = await ask(pair.urls.get('new') ?? '', path, fields(asked))
      const told = await ask(prefix(), path, fields({ ...asked, c: 'new' }))
      expect(told).toEqual(theirs)
      expect(theirs.body.status).toBe('error')
    })

    test('times as Prometheus takes them', async () => {
      const at = new Date(pair.atSeconds * 1_000).toISOString()
      expect((await result('queue', { time: at })).result).toHaveLength(6)
      expect((await result('queue', { time: pair.atSeconds.toFixed(3) })).result).toHaveLength(6)
      const over = await data('query_range', { query: 'queue', ...range(), step: '1m30s', start: at })
      expect(over).toEqual(await data('query_range', { query: 'queue', ...range(), step: '90', start: at }))
    })

    test('GET and form POST tell the same', async () => {
      const given = { query: 'sum by (cluster) (queue)', time: String(pair.atSeconds) }
      expect(await ours('query', given, 'POST')).toEqual(await ours('query', given))
      const over = { query: 'queue', ...range() }
      expect(await ours('query_range', over, 'POST')).toEqual(await ours('query_range', over))
      const matched = { 'match[]': ['queue', 'only_old'] }
      expect(await ours('series', matched, 'POST')).toEqual(await ours('series', matched))
      expect(await ours('labels', matched, 'POST')).toEqual(await ours('labels', matched))
      const deleted = await fetch(`${prefix()}/api/v1/query`, { method: 'DELETE' })
      expect(deleted.status).toBe(405)
    })

    test('remarks speak of places in the text that was sent, or of none', async () => {
      const counter =
        'PromQL info: metric might not be a counter, name does not end in _total/_sum/_count/_bucket: "queue"'
      const time = { time: String(pair.atSeconds) }
      const told = async (query: string) => (await ours('query', { query, c: 'new', ...time })).body.infos
      expect(await told('  rate(queue[5m])')).toEqual([`${counter} (1:8)`])
      expect(await told('  rate(queue{cluster="new"}[5m])')).toEqual([counter])
    })

    test('what a query cost is told of one cluster', async () => {
      const given = { query: 'queue', time: String(pair.atSeconds), stats: 'all' }
      expect(await data('query', { ...given, c: 'new' })).toMatchObject({
        stats: { samples: { totalQueryableSamples: 3 } },
      })
      expect(await data('query', given)).not.toHaveProperty('stats')
      expect(await data('query', { query: 'queue', c: 'new' })).not.toHaveProperty('stats')
      const over = await data('query_range', { query: 'queue', ...range(), stats: '1', c: 'old' })
      expect(over).toHaveProperty('stats.timings')
    })

    test('a limit cuts, and says so', async () => {
      const { body } = await ours('query', { query: 'queue', time: String(pair.atSeconds), limit: '4' })
      expect((body.data as Result).result).toHaveLength(4)
      expect(body.warnings).toEqual(['results truncated due to limit'])
      const series = await ours('series', { 'match[]': 'queue', limit: '2' })
      expect(series.body.data).toHaveLength(2)
    })

    testLists(running)
    testOwnLabel(running)
  })
}
