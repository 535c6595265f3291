import { expect, test } from 'vitest'
import { asking, type Result } from './asking.ts'
import type { RealPair } from './real-pair.ts'

/** Queries of which some part chooses no cluster, or all that one has; inside of a description that has the pair running. */
export function testChosen(running: () => RealPair): void {
  const { data, result, range } = asking(running)

  test('what reads no series is answered once', async () => {
    expect(await result('1+1')).toEqual({ resultType: 'scalar', result: [running().atSeconds, '2'] })
    expect(await result('"a b"')).toEqual({ resultType: 'string', result: [running().atSeconds, 'a b'] })
    expect((await result('vector(7)')).result).toEqual([{ metric: {}, value: [running().atSeconds, '7'] }])
    const over = (await data('query_range', { query: 'time()', ...range() })) as Result
    expect(over.result).toHaveLength(1)
    expect((await result('scalar(queue{cluster="nowhere"})')).result).toEqual([running().atSeconds, 'NaN'])
    const absent = async (selector: string) =>
      (await result(`absent(${selector})`)).result.map((row) => [row.metric, (row.value as unknown[])[1]])
    expect(await absent('queue{cluster="nowhere",job="web"}')).toEqual([[{ cluster: 'nowhere', job: 'web' }, '1']])
    expect(await absent('queue{cluster=~"no.*"}')).toEqual([[{}, '1']])
    // Series of `labelled` have a label of that name: it is not what is asked for.
    expect(await absent('labelled{cluster="another"}')).toEqual([[{ cluster: 'another' }, '1']])
  })

  test('what is absent elsewhere is told of there, beside what one cluster has', async () => {
    const { result: rows } = await result('absent(queue{cluster="nowhere"}) or sum by (job) (queue{cluster="new"})')
    expect(rows.map(({ metric }) => metric)).toContainEqual({ cluster: 'nowhere' })
    expect(JSON.stringify(rows)).not.toContain('goldseam')
  })

  test('a name that may be anything chooses all of a cluster', async () => {
    const { result: counted } = await result('count({__name__!="no_such_metric",cluster="new"})')
    expect(counted).toEqual((await result('count({__name__=~".+",cluster="new"})')).result)
    expect(counted).toHaveLength(1)
  })
}
