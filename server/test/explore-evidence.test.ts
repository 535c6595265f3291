import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { MadeLink, SavedLink } from '../src/contract/index.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { type Answering, type FakePrometheus, json, startFakePrometheus } from './support/fake-prometheus.ts'
import { type StartedGoldseam, startGoldseam } from './support/start-goldseam.ts'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

interface Answer {
  readonly status: string
  readonly data?: { readonly resultType: string; readonly result: readonly object[] }
  readonly warnings?: readonly string[]
  readonly infos?: readonly string[]
  readonly error?: string
}

/** A mesh of one workload, and a metric `jobs` of this value; `slow_jobs` is refused, `large_jobs` are 4 MB. */
function cluster(value: string): Answering {
  const mesh = answering(oneWorkload('cart'))
  return (asked, response) => {
    const query = asked.fields.get('query') ?? ''
    if (!query.includes('jobs')) return mesh(asked, response)
    if (query.includes('slow_jobs'))
      return json(response, 422, { status: 'error', errorType: 'execution', error: 'too many samples' })
    const [start = 0, end = 0, step = 1] = ['start', 'end', 'step'].map((name) => Number(asked.fields.get(name)))
    const times = Array.from({ length: Math.round((end - start) / step) + 1 }, (_, index) => start + index * step)
    const metric = query.includes('large_jobs') ? { text: 'x'.repeat(4_000_000) } : {}
    const instant = { resultType: 'vector', result: [{ metric, value: [Number(asked.fields.get('time')), value] }] }
    const range = { resultType: 'matrix', result: [{ metric, values: times.map((at) => [at, value]) }] }
    const data = asked.path.endsWith('/query') ? instant : range
    json(response, 200, { status: 'success', data, warnings: value === '2' ? ['a store is gone'] : [] })
  }
}

async function started() {
  const folder = mkdtempSync(join(tmpdir(), 'goldseam-explore-'))
  const [east, west] = await Promise.all([startFakePrometheus(cluster('1')), startFakePrometheus(cluster('2'))])
  const config = `clusters:
  - { name: east, endpoints: [{ url: ${east.url} }], dialects: [linkerd] }
  - { name: west, endpoints: [{ url: ${west.url} }], dialects: [linkerd] }
links: { directory: ${folder}/links }
log: { level: silent }
`
  const start = async () => {
    const goldseam = await startGoldseam(config)
    cleanups.push(() => goldseam.close())
    return goldseam
  }
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  cleanups.push(() => Promise.all([east.close(), west.close()]).then(() => undefined))
  return { goldseam: await start(), start, folder, fakes: [east, west] as readonly FakePrometheus[] }
}

async function saved(goldseam: StartedGoldseam, search: Readonly<Record<string, string>>): Promise<MadeLink> {
  const address = `/explore?${new URLSearchParams({ from: 'now-10m', ...search })}`.replaceAll('+', '%20')
  const response = await fetch(`${goldseam.url}/api/v1/links`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'evidence', address }),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as MadeLink
}

const ask = async (goldseam: StartedGoldseam, path: string, given: Readonly<Record<string, string>>) =>
  (await goldseam.get(`/prometheus/api/v1/${path}?${new URLSearchParams(given)}`)).body as Answer

test('what was answered is kept with its warnings and failures, and the clusters are not asked for it again', async () => {
  const { goldseam, start, fakes } = await started()
  const { code, leftOut } = await saved(goldseam, { e1: 'sum(jobs)', e3: 'sum(slow_jobs)' })
  expect(leftOut).toEqual([])
  const { code: joined } = await saved(goldseam, { e1: 'sum(jobs)', join: 'added', view: 'table' })
  await goldseam.close()
  for (const fake of fakes) await fake.close()

  const again = await start()
  const link = (await again.get(`/api/v1/links/${code}`)).body as SavedLink
  const { from, to } = Object.fromEntries(new URL(link.address ?? '', 'http://page').searchParams)
  const west = await ask(again, 'query_range', { query: 'sum(jobs)', c: 'west', saved: code.toLowerCase() })
  const times = ((west.data?.result ?? []) as { values: [number, string][] }[]).flatMap(({ values }) =>
    values.map(([at]) => at),
  )
  expect(times.at(-1)).toBeLessThanOrEqual(Date.parse(to ?? '') / 1_000)
  expect(times[0]).toBeLessThanOrEqual(Date.parse(from ?? '') / 1_000)
  expect(west).toMatchObject({ status: 'success', data: { result: [{ metric: { cluster: 'west' } }] } })
  expect(west.warnings).toEqual(['a store is gone'])
  expect(await ask(again, 'query', { query: 'sum(jobs)', c: 'east', saved: code })).toMatchObject({
    data: { resultType: 'vector', result: [{ metric: { cluster: 'east' }, value: [expect.any(Number), '1'] }] },
  })
  const failed = await again.get(`/prometheus/api/v1/query?query=sum(slow_jobs)&c=east&saved=${code}`)
  expect(failed).toMatchObject({
    status: 422,
    body: { errorType: 'execution', error: expect.stringContaining('too many samples') },
  })
  const both = await ask(again, 'query', { query: 'sum(jobs)', c: 'west,east', join: '1', saved: joined })
  expect(both).toMatchObject({
    data: { result: [{ metric: {}, value: [expect.any(Number), '3'] }] },
    infos: ['joined over east, west: sums were added up'],
    warnings: [expect.stringContaining('a store is gone')],
  })

  const other = await ask(again, 'query', { query: 'count(jobs)', c: 'east', saved: code })
  expect(other.error).toBe(`this was not saved with the evidence ${code}; ask the clusters for this window instead`)
  const nowhere = await ask(again, 'query', { query: 'sum(jobs)', c: 'east', saved: 'ZZZZZZ' })
  expect(nowhere.error).toBe('there is no saved evidence ZZZZZZ, or it is no longer kept')
  expect(await again.get(`/api/v1/clusters?saved=${code}`)).toMatchObject({
    status: 200,
    body: { clusters: [{ name: 'east' }, { name: 'west' }] },
  })
})

test('what is too large is left out by name, and says so; what came before is kept', async () => {
  const { goldseam } = await started()
  const { code, leftOut } = await saved(goldseam, { e1: 'sum(jobs)', e2: 'large_jobs', on: 'east' })
  expect(leftOut).toEqual(['explore range east large_jobs', 'explore table east large_jobs'])
  const large = await ask(goldseam, 'query_range', { query: 'large_jobs', c: 'east', saved: code })
  expect(large.error).toBe(
    `this was too large to be kept with the evidence ${code}; ask the clusters for this window instead`,
  )
  const small = await ask(goldseam, 'query_range', { query: 'sum(jobs)', c: 'east', saved: code })
  expect(small.status).toBe('success')
})

test.each(['%2e%2e', 'ab', 'A_B_C_D', 'x'.repeat(40)])(
  '%s is no code, and is refused with what one is',
  async (code) => {
    const { goldseam } = await started()
    expect(await goldseam.get(`/prometheus/api/v1/query?query=sum(jobs)&saved=${code}`)).toMatchObject({
      status: 400,
      body: { errorType: 'bad_data', error: expect.stringMatching(/^invalid parameter "saved": .* 4 to 16 letters/) },
    })
  },
)

test('a store that is away is not taken for evidence that nobody saved', async () => {
  const { goldseam, folder } = await started()
  rmSync(`${folder}/links`, { recursive: true, force: true })
  writeFileSync(`${folder}/links`, 'no directory')
  expect(await goldseam.get('/prometheus/api/v1/query?query=sum(jobs)&saved=ABCDEF')).toMatchObject({
    status: 503,
    body: { errorType: 'unavailable', error: 'the store of links is no directory; try again in a moment' },
  })
})
