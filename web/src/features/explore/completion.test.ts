import { afterEach, expect, test, vi } from 'vitest'
import { completionClient } from './completion-client.ts'
import { withClusters } from './completion-over.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** East answers, west has less, north does not answer. */
const NAMES: Readonly<Record<string, readonly string[] | undefined>> = { east: ['up', 'reqs_total'], west: ['up'] }

test('names are the union of the clusters that answer, each with how many know it', async () => {
  vi.stubGlobal('fetch', async (address: string) => {
    const names = NAMES[new URL(address, 'http://test').searchParams.get('c') ?? '']
    return names === undefined
      ? new Response('{"status":"error","error":"timeout"}', { status: 503 })
      : Response.json({ status: 'success', data: names })
  })
  const clusters = ['east', 'west', 'north']
  const { client, knownIn } = completionClient(clusters)
  expect(await client.metricNames()).toEqual(['reqs_total', 'up'])
  const options = [
    { label: 'up', type: 'constant' },
    { label: 'reqs_total', type: 'constant', detail: 'counter' },
    { label: 'rate', type: 'function' },
  ]
  expect(withClusters({ from: 0, options }, knownIn, clusters).options).toEqual([
    { label: 'up', type: 'constant', detail: '2/3 only east, west' },
    { label: 'reqs_total', type: 'constant', detail: 'counter 1/3 only east' },
    { label: 'rate', type: 'function' },
  ])
  expect(withClusters({ from: 0, options }, knownIn, ['east']).options).toEqual(options)
})
