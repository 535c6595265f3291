import { expect, test } from 'vitest'
import { asking, type Metric, type Series } from './asking.ts'
import type { RealPair } from './real-pair.ts'

/** A label `cluster` that series have of their own; inside of a description that has the pair running. */
export function testOwnLabel(running: () => RealPair): void {
  const { data, result, infosOf, ours } = asking(running)
  /** Each row in a line, in order. */
  const linesOf = (rows: readonly Series[]) => {
    const labels = (metric: Metric) =>
      Object.entries(metric)
        .sort()
        .map(([name, value]) => `${name}=${value}`)
    return rows.map(({ metric, value }) => [...labels(metric), (value as string[])[1]].join(' ')).sort()
  }
  const lines = async (query: string, more: Record<string, string> = {}) => linesOf((await result(query, more)).result)

  test.each([
    ['sum by (cluster) (labelled)', ['cluster=new 7.5', 'cluster=old 3']],
    ['sum by (cluster) (labelled) / sum by (cluster) (label_info)', ['cluster=new 7.5', 'cluster=old 3']],
    ['max without (exported_cluster) (labelled)', ['cluster=new job=web 5', 'cluster=old job=web 2']],
    [
      'labelled{cluster="old"} * on ("cluster", job) group_left (team) label_info',
      [
        'cluster=old exported_cluster=another job=web team=blue 2',
        'cluster=old exported_cluster=their-own job=web team=blue 1',
      ],
    ],
    [
      'sum without (cluster, job) (labelled{cluster="old"})',
      ['cluster=old exported_cluster=another 2', 'cluster=old exported_cluster=their-own 1'],
    ],
    [
      'sum by (exported_cluster, cluster) (labelled{cluster="old"})',
      ['cluster=old exported_cluster=another 2', 'cluster=old exported_cluster=their-own 1'],
    ],
    [
      'sum by (cluster, job) (labelled{exported_cluster="another"})',
      ['cluster=new job=web 5', 'cluster=old job=web 2'],
    ],
    ['sum by (cluster) (labelled{exported_cluster!~"their.*"})', ['cluster=new 5', 'cluster=old 2']],
    ['labelled{exported_cluster=""}', []],
    ['count by (cluster) (queue{exported_cluster=""})', ['cluster=new 3', 'cluster=old 3']],
    [
      'sum by (x, cluster) (label_replace(labelled{cluster="old"}, "x", "$1", "exported_cluster", "(.).*"))',
      ['cluster=old x=a 2', 'cluster=old x=t 1'],
    ],
    ['count by (exported_cluster) (called{cluster="new"})', ['cluster=new exported_cluster=so 1']],
  ])('is not taken for the cluster: %s', async (query, rows) => {
    expect(await lines(query)).toEqual(rows)
    const { result: over } = (await data('query_range', { query, start: '1', end: '2', step: '1' })) as { result: [] }
    expect(over).toEqual([])
  })

  test('is found under the name that it is shown with', async () => {
    const series = await data('series', { 'match[]': 'labelled{exported_cluster="another"}' })
    expect(series).toEqual(
      ['old', 'new'].map((cluster) => ({ __name__: 'labelled', cluster, exported_cluster: 'another', job: 'web' })),
    )
    const names = ['__name__', 'cluster', 'exported_cluster', 'job']
    expect(await data('labels', { 'match[]': 'labelled' })).toEqual(names)
    expect(await data('labels', { 'match[]': 'queue' })).not.toContain('exported_cluster')
    expect(await data('label/exported_cluster/values', {})).toEqual(['another', 'so', 'their-own'])
    expect(await data('label/exported_cluster/values', { c: 'old' })).toEqual(['another', 'their-own'])
    expect(await data('label/exported_cluster/values', { 'match[]': 'queue' })).toEqual([])
    expect(await data('label/job/values', { 'match[]': '{exported_cluster="another"}' })).toEqual(['web'])
  })

  test('is kept in sums over the clusters', async () => {
    const query = 'sum without (cluster, job) (labelled)'
    expect(await lines(query, { join: '1' })).toEqual(['exported_cluster=another 7', 'exported_cluster=their-own 3.5'])
  })

  test('a vector that reads no series matches each cluster, and it is said of one as well', async () => {
    const said = [expect.stringContaining('a side that reads no series has no label "cluster"')]
    expect(await infosOf('sum by (cluster) (labelled) + vector(1)')).toEqual(said)
    expect(await infosOf('sum by (cluster) (labelled{cluster="old"}) + vector(1)')).toEqual(said)
    expect(await infosOf('sum by (cluster) (labelled) + 1')).toEqual([])
  })

  test('what cannot be told apart is said', async () => {
    expect(await infosOf('sum by (exported_cluster) (labelled{cluster="old"})')).toEqual([])
    expect(await infosOf('count by (exported_cluster) ({__name__=~"called|labelled",cluster="new"})')).toEqual([
      expect.stringContaining('cluster new has series with a label "exported_cluster" and series with another'),
    ])
    const { body } = await ours('query', { query: 'label_replace(queue{cluster="old"}, "x", "$1", "cluster", "(.*)")' })
    expect(body.infos).toEqual([expect.stringContaining('label_replace was evaluated in each cluster')])
  })
}
