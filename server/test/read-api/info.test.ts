import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engines, findEngines } from '../engines/find-engines.ts'
import { remoteWrite } from '../engines/remote-write.ts'
import { type StartedGoldseam, startGoldseam } from '../support/start-goldseam.ts'
import { startPrometheus } from '../support/start-prometheus.ts'

const engines = findEngines(process.env)

// engines.test.ts fails where the engines are expected and not here.
if (!('missing' in engines)) describeInfo(engines)
else test('needs a Prometheus 3 (npm run setup:engines)', () => undefined)

function describeInfo({ prometheus3 }: Engines): void {
  describe('info() adds labels in the clusters that its series are of', () => {
    const started: { close(): Promise<void> }[] = []
    const atSeconds = Math.floor(Date.now() / 1_000)
    let goldseam: StartedGoldseam

    beforeAll(async () => {
      const clusters = await Promise.all(
        ['east', 'west'].map(async (name) => {
          const flags = ['--enable-feature=promql-experimental-functions']
          const prometheus = await startPrometheus(prometheus3, 'scrape_configs: []\n', '', flags)
          started.push(prometheus)
          const of = (labels: Record<string, string>) => ({
            labels: { job: 'web', instance: 'a', ...labels },
            samples: [{ atMs: atSeconds * 1_000 - 5_000, value: 1 }],
          })
          await remoteWrite(prometheus.url, [
            of({ __name__: 'queue' }),
            of({ __name__: 'target_info', k8s_cluster_name: `k8s-${name}`, version: '7' }),
          ])
          return `  - { name: ${name}, endpoints: [{ url: "${prometheus.url}" }] }\n`
        }),
      )
      goldseam = await startGoldseam(`log: { level: silent }\nclusters:\n${clusters.join('')}`)
      started.push(goldseam)
    })
    afterAll(async () => {
      for (const one of started.reverse()) await one.close()
    })

    const told = async (query: string) => {
      const path = `/prometheus/api/v1/query?time=${atSeconds}&query=${encodeURIComponent(query)}`
      const { data, infos, error } = (await goldseam.get(path)).body as {
        data?: { result: readonly { metric: Record<string, string> }[] }
        infos?: readonly string[]
        error?: string
      }
      const rows = data?.result.map(({ metric }) => [metric.cluster, metric.k8s_cluster_name, metric.version])
      return { rows, infos, error }
    }

    test.each([
      ['info(queue{cluster="east"}, {k8s_cluster_name=~".+"})', [['east', 'k8s-east', undefined]]],
      ['info(queue, {version=~".+"})', ['east', 'west'].map((name) => [name, undefined, '7'])],
      ['info(queue{cluster="west"})', [['west', 'k8s-west', '7']]],
      ['info(queue{cluster="west"}, {version="8"})', []],
    ])('%s', async (query, rows) => {
      expect(await told(query)).toEqual({ rows, infos: undefined, error: undefined })
    })
  })
}
