import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Clusters } from '../../src/contract/index.ts'
import type { Engines } from '../engines/find-engines.ts'
import { eventually } from '../support/eventually.ts'
import type { StartedGoldseam } from '../support/start-goldseam.ts'
import { testJoined } from './describe-joined.ts'
import { CLUSTERS, type ManyWorld, STEP_SECONDS, startManyWorld } from './many-world.ts'

type Labels = Readonly<Record<string, string>>

interface Answer {
  readonly status: string
  readonly data: { readonly resultType: string; readonly result: readonly ({ metric: Labels } & object)[] }
  readonly warnings?: readonly string[]
  readonly infos?: readonly string[]
}

const P99 = 'histogram_quantile(0.99, sum by (le) (rate(seconds_bucket[1m])))'

export function describeWhole(engines: Engines): void {
  describe('what needs several clusters, answered by the one endpoint that holds them', () => {
    let world: ManyWorld
    const at = (path: string, given: Readonly<Record<string, string>>) =>
      `/api/v1/${path}?${new URLSearchParams(given)}`
    const instant = (query: string) => at('query', { query, time: String(world.atSeconds) })
    const range = (query: string) => {
      const start = String(world.atSeconds - 8 * STEP_SECONDS)
      return at('query_range', { query, start, end: String(world.atSeconds), step: String(STEP_SECONDS) })
    }
    const ours = async (goldseam: StartedGoldseam, path: string) =>
      (await goldseam.get(`/prometheus${path}`)).body as Answer
    const theirs = async (path: string) => {
      const told = (await (await fetch(world.fleet.thanosUrl + path)).json()) as Answer
      if (told.status !== 'success') return told
      // Thanos adds an empty "analysis".
      const { resultType, result } = told.data
      return { ...told, data: { resultType, result } }
    }
    const numbers = ({ data }: Answer) =>
      data.result.map((row) => ('value' in row ? Number((row.value as [number, string])[1]) : Number.NaN))

    beforeAll(async () => {
      world = await startManyWorld(engines)
    })
    afterAll(() => world?.close())

    test.each([
      'sum(up)',
      'topk(4, queue)',
      'bottomk(1, sum by (cluster) (queue))',
      'quantile(0.4, queue)',
      'count_values("times", up)',
      P99,
      'avg without (cluster, pod) (rate(requests_total[1m]))',
      'sum(queue{cluster="east"}) / sum(queue{cluster=~"west|nor.*"})',
      'queue{cluster="east"} - on (pod) queue{cluster="west"}',
      'sum by (cluster) (queue) / ignoring (cluster) group_left sum(queue)',
      'sort_desc(sum by (cluster) (queue) / on () group_left () sum(queue))',
      'sum(queue) or vector(0)',
      'absent(nowhere)',
      'absent(nowhere{cluster="east"}) or absent(nowhere{cluster="west"})',
      'vector(1) and on () queue',
      'scalar(sum(queue{cluster!="north"}))',
      'label_replace(queue, "place", "in-$1", "cluster", "(.*)")',
      'count(count by (cluster) (up)) # {not: a selector}',
    ])('is what Thanos Query tells when it is asked directly: %s', async (query) => {
      for (const path of [instant(query), range(query)]) {
        const told = await theirs(path)
        const read = await ours(world.found, path)
        // A Prometheus hands groups out as they lie in a map.
        const placed = /^(top|bottom|sort|scalar)/.test(query) ? ({ data }: Answer) => data.result : sorted
        expect({ ...read, data: { ...read.data, result: placed(read) } }).toEqual({
          status: 'success',
          data: { ...told.data, result: placed(told) },
        })
        expect(told.data.result.length).toBeGreaterThan(0)
      }
    })

    test('what each cluster tells for itself carries its cluster, and is the same', async () => {
      for (const query of ['queue', 'sum by (cluster) (rate(requests_total[1m]))', 'topk by (cluster) (1, queue)']) {
        const [told, read] = [await theirs(instant(query)), await ours(world.found, instant(query))]
        expect(sorted(read)).toEqual(sorted(told))
        expect(new Set(read.data.result.map(({ metric }) => metric.cluster))).toEqual(new Set(CLUSTERS))
        expect(read).not.toHaveProperty('infos')
      }
    })

    test('clusters that are elsewhere are evaluated on their own, and it is said', async () => {
      const apart = await ours(world.mixed, instant('sum(queue)'))
      expect(apart.data.result.map(({ metric }) => metric.cluster)).toEqual(['north', 'east', 'west'])
      expect(apart.infos?.join()).toContain('sum without the label "cluster" was evaluated in each cluster')
      const behind = 'sum(queue{cluster!="north"})'
      expect(await ours(world.mixed, instant(behind))).toEqual({
        status: 'success',
        data: (await theirs(instant(behind))).data,
      })
      const chosen = await ours(world.mixed, `${instant('sum(queue)')}&c=east,west`)
      expect(chosen.data).toEqual((await theirs(instant(behind))).data)
      const refused = await ours(world.mixed, instant('sum(queue{cluster="east"}) / sum(queue{cluster="north"})'))
      expect(refused).toMatchObject({ status: 'error', errorType: 'bad_data' })
    })

    test('a quantile is one of the buckets of all clusters wherever they are, as Thanos takes it over all', async () => {
      for (const path of [instant, range]) {
        for (const query of [P99, `1000 * ${P99}`]) {
          const [told, read] = [await theirs(path(query)), await ours(world.mixed, path(query))]
          const [wanted, got] = [samplesOf(told), samplesOf(read)]
          expect(read.data.result.map(({ metric }) => metric)).toEqual([{}])
          expect(wanted.length).toBeGreaterThan(0)
          expect(got.map(([at]) => at)).toEqual(wanted.map(([at]) => at))
          for (const [index, [, text]] of wanted.entries())
            expect(Number(got[index]?.[1]) / Number(text)).toBeCloseTo(1, 9)
          expect(read.infos).toEqual([expect.stringMatching(/^joined over north, east, west: buckets were added up/)])
        }
      }
    })

    testJoined(() => world)

    test('a whole cluster is one behind the endpoint too, where a sidecar wants more than whose it is', async () => {
      const one = await ours(world.found, instant('count({cluster="east"})'))
      const [count] = numbers(await theirs(instant('count({cluster="east",__name__!=""})')))
      expect(one).toMatchObject({
        data: { result: [{ metric: { cluster: 'east' }, value: [world.atSeconds, String(count)] }] },
      })
      const both = await theirs(instant('count({cluster=~"east|west",__name__!=""})'))
      expect(await ours(world.found, instant('count({cluster=~"east|west"})'))).toEqual(both)
      for (const goldseam of [world.found, world.mixed]) {
        const { data } = await ours(goldseam, at('series', { 'match[]': '{cluster="east"}' }))
        expect((data as unknown as Labels[]).length).toBeGreaterThan(0)
      }
    })

    test('other names here and there mean the same clusters', async () => {
      const told = async (query: string) => sorted(await ours(world.renamed, instant(query)))
      const asked = async (query: string) => sorted(await theirs(instant(query)))
      expect(await told('sum(queue)')).toEqual(await asked('sum(queue)'))
      expect(await told('sum(queue{cluster=~"o.*",cluster!="orient"}) + sum(queue{cluster="r-north"})')).toEqual(
        await asked('sum(queue{cluster="west"}) + sum(queue{cluster="north"})'),
      )
      const best = 'topk(1, sum by (cluster) (queue{cluster!="r-north"}))'
      const [first] = (await asked(best.replace('r-north', 'north'))) as readonly { value: unknown }[]
      expect(await told(best)).toEqual([{ metric: { cluster: 'occident' }, value: first?.value }])
      const series = await ours(world.renamed, instant('topk(1, queue{cluster!="r-north",pod="a"})'))
      expect(series.data.result.map(({ metric }) => metric)).toEqual([
        expect.objectContaining({ cluster: 'occident', region: 'r-west', exported_cluster: 'west' }),
      ])
      // Their label `cluster` is one of their own here.
      const each = await ours(world.renamed, instant('sum by (cluster) (queue)'))
      expect(each.data.result.map(({ metric }) => metric)).toEqual(
        ['orient', 'r-north', 'occident'].map((cluster) => ({ cluster })),
      )
      const west = await ours(
        world.renamed,
        instant('sum by (cluster, exported_cluster) (queue{exported_cluster="west"})'),
      )
      expect(west.data.result.map(({ metric }) => metric)).toEqual([{ cluster: 'occident', exported_cluster: 'west' }])
      // The text "cluster" is a label here that the endpoint knows by another name: nothing is guessed.
      const texts = await ours(world.renamed, instant('label_replace(queue, "place", "$1", "cluster", "(.*)")'))
      expect(texts.infos?.join()).toContain('label_replace was evaluated in each cluster')
    })

    test('a wrong query is refused in the words of the endpoint, by its own text', async () => {
      const wrong = instant('sum(queue) + sum(rate(queue))')
      const [read, told] = [await ours(world.found, wrong), await theirs(wrong)]
      expect(read).toMatchObject({ status: 'error', errorType: 'bad_data' })
      expect(read).toEqual(told)
    })

    test('promtool reads the same from Goldseam as from Thanos Query', async () => {
      const promtool = async (url: string, ...args: string[]) =>
        (await promisify(execFile)(world.promtool, ['query', ...args.slice(0, -1), url, ...args.slice(-1)])).stdout
      const times = [`--start=${world.atSeconds - 60}`, `--end=${world.atSeconds}`, `--step=${STEP_SECONDS}s`] as const
      for (const args of [
        ['instant', `--time=${world.atSeconds}`, 'sum(up)'],
        ['instant', `--time=${world.atSeconds}`, 'topk(2, queue)'],
        ['range', ...times, P99],
      ]) {
        const told = await promtool(world.fleet.thanosUrl, ...args)
        expect(await promtool(`${world.found.url}/prometheus`, ...args)).toBe(told)
        expect(told).toContain('=>')
      }
    })

    test('it calls itself a version of Prometheus, not that of Thanos', async () => {
      for (const goldseam of [world.found, world.mixed]) {
        await eventually(async () => {
          const { clusters } = (await goldseam.get('/api/v1/clusters')).body as Clusters
          expect(clusters.flatMap(({ endpoints }) => endpoints.map(({ version }) => version))).not.toContain(null)
        })
        const { data } = (await goldseam.get('/prometheus/api/v1/status/buildinfo')).body as { data: object }
        expect(data).toMatchObject({ version: expect.stringMatching(goldseam === world.mixed ? /^3\./ : /^2\.42\.0$/) })
      }
    })

    // From here on the world breaks, piece by piece.
    test('a Prometheus that is gone is a warning with its name, and the rest an answer', async () => {
      await world.fleet.programs.get('north/a')?.close()
      await gone('north', 'queue{cluster!="north"}')
    })

    test('so is a sidecar', async () => {
      await world.fleet.programs.get('west/a sidecar')?.close()
      await gone('west', 'queue{cluster="east"}')
    })

    test('without any of them it is an error', async () => {
      await world.fleet.programs.get('east/a sidecar')?.close()
      await eventually(async () => {
        const path = `${instant('sum(queue)')}&c=east,west`
        expect(await ours(world.found, path)).toMatchObject({ status: 'error', errorType: 'unavailable' })
      })
    })

    async function gone(cluster: string, rest: string): Promise<void> {
      const left = numbers(await theirs(instant(`sum(${rest})`)))
      await eventually(async () => {
        const told = await ours(world.found, instant('sum(queue)'))
        expect(numbers(told)).toEqual(left)
        expect(told.warnings).toContainEqual(expect.stringMatching(new RegExp(`^cluster ${cluster} is missing`)))
        expect(told).not.toHaveProperty('infos')
        const plain = await ours(world.found, instant('queue'))
        expect(plain.warnings).toContainEqual(expect.stringMatching(new RegExp(`^cluster ${cluster} is missing`)))
        expect(plain.data.result.map(({ metric }) => metric.cluster)).not.toContain(cluster)
      })
    }
  })
}

/** Of all rows, one after the other. */
function samplesOf({ data }: Answer): readonly (readonly [at: number, text: string])[] {
  return data.result.flatMap((row) => {
    const { value, values } = row as { value?: [number, string]; values?: [number, string][] }
    return values ?? (value === undefined ? [] : [value])
  })
}

function sorted({ data }: Answer): readonly object[] {
  const key = ({ metric }: { metric: Labels }) => JSON.stringify(Object.entries(metric).sort())
  return data.result.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}
