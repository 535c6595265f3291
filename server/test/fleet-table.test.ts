import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fleet, Fleet as FleetShape, type Problem, Table, type Workload, withRows } from '../src/contract/index.ts'
import { answering, oneWorkload } from './support/fake-mesh.ts'
import { type FakePrometheus, startFakePrometheus } from './support/fake-prometheus.ts'
import { type StartedGoldseam, startGoldseam } from './support/start-goldseam.ts'

/** Requests a second, with more digits than anybody shows. */
const RATE = 1_234.5678901234
/** An instant of the past: every answer is of the same snapshot. */
const at = `to=${Math.floor(Date.now() / 1_000) - 600}`

let east: FakePrometheus
let west: FakePrometheus
let goldseam: StartedGoldseam

beforeAll(async () => {
  east = await startFakePrometheus(answering(oneWorkload('web', RATE)))
  west = await startFakePrometheus(answering(oneWorkload('web', 30)))
  goldseam = await startGoldseam(`log: { level: silent }
clusters:
  - { name: east, endpoints: [{ url: "${east.url}" }] }
  - { name: west, endpoints: [{ url: "${west.url}" }] }
`)
})
afterAll(async () => {
  await goldseam.close()
  await Promise.all([east.close(), west.close()])
})

async function tableOf(query: string): Promise<{ sent: object; fleet: Fleet }> {
  const { body } = await goldseam.get(`/api/v1/fleet?as=table&${query}`)
  return { sent: body, fleet: FleetShape.parse(withRows(FleetShape, body)) }
}

test('a table says of the same snapshot what the rows say, but for digits that no screen shows', async () => {
  const rows = FleetShape.parse((await goldseam.get(`/api/v1/fleet?${at}`)).body)
  const { sent, fleet } = await tableOf(at)
  expect(Table.parse((sent as { workloads: unknown }).workloads).rows).toBe(2)
  expect(fleet.snapshot.id).toBe(rows.snapshot.id)
  const [exact, shown] = [rows, fleet].map(({ workloads }) => workloads.find(({ id }) => id === 'east/shop/web'))
  expect(exact?.now.requestsPerSecond).toBe(1_234.5678901)
  expect(shown?.now.requestsPerSecond).toBe(1_234.57)
  expect(fleet.workloads.map(withoutDigits)).toEqual(rows.workloads.map(withoutDigits))
  const { workloads: _table, ...ofTable } = fleet
  const { workloads: _rows, ...ofRows } = rows
  expect(ofTable).toEqual(ofRows)
})

/** With three digits of every number: fewer than either has. */
function withoutDigits(row: Workload): unknown {
  const round = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(3)) : value)
  return JSON.parse(JSON.stringify(row, round))
}

test('each has its own ETag', async () => {
  const ask = (query: string, headers = {}) => fetch(`${goldseam.url}/api/v1/fleet?${query}${at}`, { headers })
  const etagOf = async (query: string) => (await ask(query)).headers.get('etag') ?? ''
  const [rows, table] = [await etagOf(''), await etagOf('as=table&')]
  expect(table).not.toBe(rows)
  expect((await ask('as=table&', { 'if-none-match': table })).status).toBe(304)
  expect((await ask('as=table&', { 'if-none-match': rows })).status).toBe(200)
})

test('`first` is the same workloads as a table', async () => {
  const { fleet } = await tableOf(`first=1&${at}`)
  expect(fleet).toMatchObject({ workloads: [{ id: 'east/shop/web' }], more: 1 })
})

test('what is summed is summed from all digits', async () => {
  const { fleet } = await tableOf(`group=name&${at}`)
  expect(fleet.groups?.map(({ now }) => now.requestsPerSecond)).toEqual([RATE + 30])
})

test('another form is refused, and named', async () => {
  const { status, body } = await goldseam.get('/api/v1/fleet?as=columns')
  expect(status).toBe(400)
  expect((body as Problem).errors).toEqual([{ pointer: '/query/as', detail: 'use table, or leave it out for rows' }])
})
