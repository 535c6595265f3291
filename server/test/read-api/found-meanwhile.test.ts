import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { json, startFakePrometheus } from '../support/fake-prometheus.ts'
import { startGoldseam } from '../support/start-goldseam.ts'

const started: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.close()
})

const REFRESH_SECONDS = 1

test('who asks after a while is answered by the clusters of now', async () => {
  let values = ['east']
  let patience = 0
  const many = await startFakePrometheus(async (asked, response) => {
    if (asked.path.endsWith('/label/cluster/values')) {
      await sleep(patience)
      return json(response, 200, { status: 'success', data: values })
    }
    const data = { resultType: 'vector', result: [{ metric: {}, value: [4, '1'] }] }
    json(response, 200, { status: 'success', data })
  })
  started.push(many)
  const goldseam = await startGoldseam(
    `log: { level: silent }\ndiscover:\n  - { url: "${many.url}", refresh: ${REFRESH_SECONDS}s }\n`,
  )
  started.push(goldseam)
  const clusters = async () => {
    const { body } = await goldseam.get('/prometheus/api/v1/query?time=4&query=up')
    const { data } = body as { data: { result: { metric: { cluster: string } }[] } }
    return data.result.map(({ metric }) => metric.cluster)
  }
  // The very first one as well.
  expect(await clusters()).toEqual(['east'])
  values = ['east', 'west']
  await sleep(2_500 * REFRESH_SECONDS)
  expect(await clusters()).toEqual(['east', 'west'])
  // One that takes its time to tell is not waited for longer than for a first snapshot.
  values = ['east', 'north', 'west']
  patience = 6_000
  await sleep(2_500 * REFRESH_SECONDS)
  expect(await clusters()).toEqual(['east', 'west'])
})
