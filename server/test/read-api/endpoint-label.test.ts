import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engines, findEngines } from '../engines/find-engines.ts'
import { remoteWrite } from '../engines/remote-write.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'
import { startPrometheus } from '../support/start-prometheus.ts'

const engines = findEngines(process.env)

// engines.test.ts fails where the engines are expected and not here.
if (!('missing' in engines)) describeEndpointLabel(engines)
else test('needs a Prometheus 3 (npm run setup:engines)', () => undefined)

/** An endpoint that tells its clusters by a label of its own, and one cluster that is read directly. */
function describeEndpointLabel({ prometheus3 }: Engines): void {
  describe('what an endpoint calls the cluster stands for it', () => {
    const started: { close(): Promise<void> }[] = []
    const atSeconds = Math.floor(Date.now() / 1_000)
    /** Both clusters of the endpoint, and `north` as well. */
    let mixed: StartedGoldseam
    let whole: StartedGoldseam

    beforeAll(async () => {
      const config = 'scrape_configs: []\n'
      const [many, north] = await Promise.all([
        startPrometheus(prometheus3, config),
        startPrometheus(prometheus3, config),
      ])
      started.push(many, north)
      const of = (labels: Record<string, string>, value: number) => ({
        labels: { job: 'web', ...labels },
        samples: [{ atMs: atSeconds * 1_000 - 5_000, value }],
      })
      const both = (more: Record<string, string>, value: number) =>
        ['east', 'west'].map((region, index) => of({ region: `r-${region}`, ...more }, value * (index + 1)))
      await Promise.all([
        remoteWrite(many.url, [
          ...both({ __name__: 'queue', pod: 'a' }, 1),
          ...both({ __name__: 'queue', pod: 'b' }, 2),
          ...both({ __name__: 'health', cluster: 'search', instance: 'a' }, 3),
          ...both({ __name__: 'health', cluster: 'search', exported_cluster: 'so', instance: 'a' }, 1),
        ]),
        remoteWrite(north.url, [
          of({ __name__: 'queue', pod: 'a' }, 10),
          of({ __name__: 'queue', pod: 'b' }, 20),
          of({ __name__: 'health', cluster: 'search', instance: 'a' }, 5),
        ]),
      ])
      const discover = `discover:\n  - { url: "${many.url}", clusterLabel: region, rename: { r-east: east, r-west: west } }\n`
      const direct = `clusters:\n  - { name: north, endpoints: [{ url: "${north.url}" }] }\n`
      ;[mixed, whole] = await Promise.all([
        startGoldseam(`log: { level: silent }\n${direct}${discover}`),
        startGoldseam(`log: { level: silent }\n${discover}`),
      ])
      started.push(mixed, whole)
    })
    afterAll(async () => {
      for (const one of started.reverse()) await one.close()
    })

    const rows = async (goldseam: StartedGoldseam, query: string, more = '') => {
      const path = `/prometheus/api/v1/query?time=${atSeconds}&query=${encodeURIComponent(query)}${more}`
      const { data } = (await goldseam.get(path)).body as {
        data: { result: readonly { metric: Record<string, string>; value: [number, string] }[] }
      }
      return data.result.map(({ metric, value }) => [metric, Number(value[1])])
    }

    test.each([
      ['sum without (cluster, pod) (queue)', [[{ job: 'web' }, 39]]],
      ['max without (pod, cluster) (max without (cluster) (queue))', [[{ job: 'web' }, 20]]],
      [
        'sum without (cluster) (queue)',
        [
          [{ job: 'web', pod: 'a' }, 13],
          [{ job: 'web', pod: 'b' }, 26],
        ],
      ],
    ])('it is gone where clusters are joined: %s', async (query, wanted) => {
      expect(await rows(mixed, query, '&join=1')).toEqual(wanted)
    })

    test('it is left out of what is matched in each cluster', async () => {
      const query = 'sum by (cluster, pod) (queue) / ignoring (cluster, pod, job) group_left sum without (pod) (queue)'
      const each = await rows(mixed, query.replace('sum without (pod)', 'sum by (cluster)'))
      expect(each).toHaveLength(6)
      expect(await rows(mixed, query)).toEqual(each)
    })

    test('a label "cluster" of the series is called as it is where each cluster answers for itself', async () => {
      const query = 'max without (cluster, instance) (health)'
      const own = { exported_cluster: 'search', job: 'web' }
      const both = { exported_exported_cluster: 'search', exported_cluster: 'so', job: 'web' }
      expect(await rows(whole, query)).toEqual([
        [own, 6],
        [both, 2],
      ])
      expect(await rows(mixed, query)).toContainEqual([{ ...own, cluster: 'east' }, 3])
      expect(await rows(mixed, query)).toContainEqual([{ ...both, cluster: 'east' }, 1])
      expect(await rows(mixed, query, '&join=1')).toContainEqual([own, 6])
    })

    test('it is there beside the cluster where nothing takes it away', async () => {
      const [first] = await rows(whole, 'topk(1, health)')
      expect(first).toEqual([
        {
          __name__: 'health',
          cluster: 'west',
          region: 'r-west',
          exported_cluster: 'search',
          instance: 'a',
          job: 'web',
        },
        6,
      ])
    })
  })
}
