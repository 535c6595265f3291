import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { asking, fields, type Result } from './asking.ts'
import { type RealPair, STEP_SECONDS } from './real-pair.ts'

/** Names, metadata, and what Grafana and promtool ask; inside of a description that has the pair running. */
export function testLists(running: () => RealPair): void {
  const { prefix, ask, ours, data } = asking(running)

  test('label names and values are those of all clusters, and the clusters themselves', async () => {
    expect(await data('labels', { 'match[]': '{__name__=~"queue|only_old"}' })).toEqual([
      '__name__',
      'cluster',
      'job',
      'pod',
    ])
    expect(await data('label/cluster/values', {})).toEqual(['new', 'old'])
    expect(await data('label/cluster/values', { 'match[]': 'only_old' })).toEqual(['old'])
    expect(await data('label/cluster/values', { c: 'new' })).toEqual(['new'])
    expect(await data('label/pod/values', {})).toEqual(['a', 'b', 'c'])
    expect(await data('label/__name__/values', { 'match[]': '{cluster="old",job="web"}' })).toContain('only_old')
    expect(await data('label/__name__/values', { 'match[]': '{cluster="new"}' })).not.toContain('only_old')
    expect(await data('labels', { 'match[]': 'no_such_metric' })).toEqual([])
  })

  test.each(['U___d800_', 'U__', 'U__a_2f_b', 'a.b', 'U__U____x', 'U___2e__2e_'])(
    'label names are taken and refused as by Prometheus 3: %s',
    async (name) => {
      const theirs = await ask(running().urls.get('new') ?? '', `label/${name}/values`, fields({}))
      expect(await ask(prefix(), `label/${name}/values`, fields({ c: 'new' }))).toEqual(theirs)
    },
  )

  test('what names no label is refused before anybody is asked', async () => {
    expect(await ours('label/a%2Fb/values', {})).toMatchObject({
      status: 400,
      body: { error: 'invalid label name: "a/b"' },
    })
    expect(await ours('label/%ff/values', {})).toMatchObject({ status: 400, body: { errorType: 'bad_data' } })
    expect(await ours('status/buildinfo', { c: 'nowhere' })).toMatchObject({ status: 400 })
  })

  test('a form is one in any charset, but not in several parts', async () => {
    const post = async (type: string, body: string | FormData) => {
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
      const response = await fetch(`${prefix()}/api/v1/query`, { method: 'POST', headers, body })
      return { status: response.status, body: (await response.json()) as object }
    }
    const given = 'query=1%2B1&time=4'
    const told = await post('application/x-www-form-urlencoded', given)
    expect(told).toMatchObject({ status: 200, body: { data: { result: [4, '2'] } } })
    expect(await post('application/x-www-form-urlencoded; charset=foo', given)).toEqual(told)
    const parts = new FormData()
    parts.set('query', '1')
    expect(await post('', parts)).toMatchObject({
      status: 400,
      body: {
        error: expect.stringContaining('send them as application/x-www-form-urlencoded, multipart is not taken'),
      },
    })
  })

  test('metadata, exemplars, rules, alerts, and a query made pretty', async () => {
    expect(await data('metadata', { metric: 'page_seconds' })).toEqual({
      page_seconds: [{ type: 'histogram', help: 'How long pages took.', unit: '' }],
    })
    expect(Object.keys((await data('metadata', { limit: '1' })) as object)).toHaveLength(1)
    const workers = async (limit: Record<string, string>) =>
      ((await data('metadata', { metric: 'page_workers', ...limit })) as Record<string, unknown[]>).page_workers
    expect(await workers({})).toHaveLength(2)
    expect(await workers({ limit_per_metric: '1' })).toHaveLength(1)
    expect(await workers({ limit_per_metric: '0' })).toHaveLength(2)
    expect(await data('query_exemplars', { query: 'queue', start: '1', end: '2' })).toEqual([])
    expect(await data('rules', {})).toEqual({ groups: [] })
    expect(await data('alerts', {})).toEqual({ alerts: [] })
    expect(await data('format_query', { query: 'sum( queue )' })).toBe('sum(queue)')
    const unknown = await ours('targets', {})
    expect(unknown).toMatchObject({ status: 404, body: { status: 'error', errorType: 'not_found' } })
  })

  test("what Grafana's data source test and its query editor send", async () => {
    // The test itself: an instant query by form POST, then what the server is.
    const tested = await ours('query', { query: '1+1', time: '4' }, 'POST')
    expect(tested).toEqual({
      status: 200,
      body: { status: 'success', data: { resultType: 'scalar', result: [4, '2'] } },
    })
    expect(await data('status/buildinfo', {})).toMatchObject({ version: expect.stringMatching(/^2\.42\./) })
    // Then the editor: metrics, labels and values of the last hour, and a panel.
    const [start, end] = [String(running().atSeconds - 3_600), String(running().atSeconds)]
    expect(await data('label/__name__/values', { start, end })).toEqual(expect.arrayContaining(['queue', 'odd']))
    const labels = await ours('labels', { start, end, 'match[]': '{__name__="queue"}' }, 'POST')
    expect(labels.body.data).toEqual(['__name__', 'cluster', 'job', 'pod'])
    expect(await data('label/cluster/values', { start, end, 'match[]': '{__name__="queue"}' })).toEqual(['new', 'old'])
    expect(Object.keys((await data('metadata', { limit: '40000' })) as object)).toContain('page_seconds')
    const step = String(STEP_SECONDS)
    const panel = await ours('query_range', { query: 'sum by (cluster) (queue)', start, end, step }, 'POST')
    expect((panel.body.data as Result).result.map(({ metric }) => metric)).toEqual([
      { cluster: 'old' },
      { cluster: 'new' },
    ])
  })

  test('promtool reads it as it reads a Prometheus', async () => {
    // Built together with Prometheus 3, so that it is there wherever this runs.
    const promtool = async (...args: string[]) =>
      (await promisify(execFile)(running().promtool, ['query', ...args])).stdout.trim().split('\n')
    const time = `--time=${running().atSeconds}`
    const instant = await promtool('instant', time, prefix(), 'sum by (cluster) (http_requests_total)')
    expect(instant).toEqual([
      `{cluster="old"} => ${39 * 17 * 6} @[${running().atSeconds}]`,
      `{cluster="new"} => ${39 * 17 * 6 * 2.5} @[${running().atSeconds}]`,
    ])
    const [start, end] = [`--start=${running().atSeconds - 30}`, `--end=${running().atSeconds}`]
    const over = await promtool('range', start, end, '--step=15s', prefix(), 'only_old{cluster="old"}')
    expect(over).toEqual([
      'only_old{cluster="old", job="web"} =>',
      ...[30, 15, 0].map((ago) => `1 @[${running().atSeconds - ago}]`),
    ])
    const series = await promtool('series', start, end, '--match=queue{pod="a"}', prefix())
    expect(series).toEqual(
      ['old', 'new'].map((cluster) => `{__name__="queue", cluster="${cluster}", job="web", pod="a"}`),
    )
    expect(await promtool('labels', start, end, prefix(), 'cluster')).toEqual(['new', 'old'])
    expect(await promtool('labels', start, end, '--match=queue', prefix(), 'pod')).toEqual(['a', 'b', 'c'])
    await expect(promtool('instant', prefix(), 'sum(')).rejects.toMatchObject({
      stderr: expect.stringContaining('parse error: unclosed left parenthesis'),
    })
  })
}
