import { afterEach, expect, test } from 'vitest'
import { composeClusters } from '../src/compose-clusters.ts'
import { parseConfig } from '../src/config/config.ts'
import { createSecrets } from '../src/config/secrets.ts'
import type { Keeper } from '../src/federation/kept.ts'
import { type FakePrometheus, json, startFakePrometheus, vector } from './support/fake-prometheus.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function endpointWith(values: readonly string[]): Promise<FakePrometheus> {
  const endpoint = await startFakePrometheus(({ path }, response) => {
    const isNames = path.endsWith('/label/cluster/values')
    json(response, 200, isNames ? { status: 'success', data: values } : vector([]))
  })
  closing.push(endpoint.close)
  return endpoint
}

/** What is kept by identity, and what was asked for. */
function memory() {
  const held = new Map<string, unknown>()
  const keeper: Keeper = <T>(identity: string) => {
    if (!held.has(identity)) held.set(identity, null)
    return {
      load: async () => held.get(identity) as T | null,
      save: async (make: () => T) => void held.set(identity, make()),
      forget: async () => void held.set(identity, null),
    }
  }
  return { held, keeper }
}

/** The clusters that a process finds which is started with this config, and ends. */
async function foundBy(discover: string, keeper: Keeper): Promise<string[]> {
  const parsed = parseConfig(`discover: [${discover}]`, 'goldseam.yaml')
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors))
  const kept = { keeper, lastingKeeper: keeper }
  const deps = { nowSeconds: () => Date.now() / 1_000, observe: () => {}, ...kept }
  const { roster, close } = composeClusters(parsed.config, createSecrets('.'), deps)
  await roster.look()
  const names = roster.readers().map(({ name }) => name)
  await close()
  return names.sort()
}

test('two entries on one endpoint remember clusters of their own', async () => {
  const endpoint = await endpointWith(['prod-1', 'test-1'])
  const { keeper } = memory()
  const entries = ['include: ["prod-*"]', 'exclude: ["prod-*"]'].map((one) => `{ url: "${endpoint.url}", ${one} }`)
  expect(await foundBy(entries.join(', '), keeper)).toEqual(['prod-1', 'test-1'])
  endpoint.answer((_, response) => json(response, 500, { status: 'error', errorType: 'internal', error: 'no' }))
  expect(await foundBy(entries.join(', '), keeper)).toEqual(['prod-1', 'test-1'])
})

test.each(['replicaLabels: [replica]', 'dedup: false', 'partialResponse: false'])(
  'what was kept of a cluster is not gone on with where it is counted otherwise: %s',
  async (otherwise) => {
    const { url } = await endpointWith(['east'])
    const keptOf = async (discover: string) => {
      const { held, keeper } = memory()
      expect(await foundBy(discover, keeper)).toEqual(['east'])
      return [...held.keys()].filter((identity) => /^(last good values|past) of east/.test(identity))
    }
    const before = await keptOf(`{ url: "${url}" }`)
    expect(before).toHaveLength(2)
    expect(await keptOf(`{ url: "${url}" }`)).toEqual(before)
    expect((await keptOf(`{ url: "${url}", ${otherwise} }`)).filter((identity) => before.includes(identity))).toEqual(
      [],
    )
  },
)
