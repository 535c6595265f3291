import { expect, test } from 'vitest'
import type { ForwardedAnswer } from '../prometheus/api.ts'
import { readStores, readValuesByStore } from './thanos-stores.ts'

const NOW_SECONDS = 1_800_000_000
const signal = new AbortController().signal

/** A page as Thanos writes it: JSON has no limit for its numbers. */
function page(text: string) {
  const answer: ForwardedAnswer = { state: 'answered', data: JSON.parse(text), warnings: [], infos: [], bytes: 1 }
  return { forward: async () => answer }
}

const store = (name: string, cluster: string, maxTime: string) =>
  `{ "name": "${name}", "lastError": null, "labelSets": [{ "cluster": "${cluster}" }]${maxTime} }`

const stores = page(`{
  "sidecar": [${store('a', 'live', ', "maxTime": 9223372036854775807')}],
  "store": [
    ${store('b', 'retired', `, "maxTime": ${(NOW_SECONDS - 301) * 1_000}`)},
    ${store('c', 'none', ', "maxTime": -9223372036854775808')},
    ${store('d', 'late', `, "maxTime": ${(NOW_SECONDS - 299) * 1_000}`)}
  ],
  "query": [${store('e', 'untold', '')}]
}`)

test('only stores with something of late tell which clusters there are; one that does not tell how far it goes does', async () => {
  const found = await readStores(stores, 'cluster', NOW_SECONDS - 300, signal)
  expect([...(found?.keys() ?? [])]).toEqual(['live', 'late', 'untold'])
})

test('what an old store holds is known, where a warning is about it', async () => {
  const byStore = await readValuesByStore(stores, 'cluster', signal)
  expect(byStore.get('b')).toEqual(['retired'])
})
