import { Fleet, Workload } from '@goldseam/server/contract'
import { expect, test } from 'vitest'
import { largeScene } from '../../test/large.ts'
import { tableOf } from '../../test/table.ts'
import { collector } from './large-answer.ts'
import { partsOfAnswer } from './large-answer-parts.ts'

const { fleet } = largeScene(160, 0)
const bytesOf = (body: unknown) => new TextEncoder().encode(JSON.stringify(body)).buffer as ArrayBuffer

function read(path: string, body: unknown) {
  const collect = collector()
  const parts = [...partsOfAnswer(path, bytesOf(body))]
  return {
    outcomes: parts.map(collect),
    most: Math.max(...parts.map((part) => ('rows' in part ? part.rows.length : 0))),
  }
}

test('an answer that comes in parts is the answer read at once, and no part is large', () => {
  const { outcomes, most } = read('/api/v1/fleet', { ...fleet, unknown: 'is left out' })
  expect(outcomes.at(-1)).toEqual({ success: true, data: Fleet.parse(fleet) })
  expect(outcomes.slice(0, -1).every((outcome) => outcome === null)).toBe(true)
  expect(most).toBeLessThanOrEqual(50)
})

test('a table comes in parts like the rows that it was made of', () => {
  const { outcomes, most } = read('/api/v1/fleet', { ...fleet, workloads: tableOf(Workload, fleet.workloads) })
  expect(outcomes.at(-1)).toEqual({ success: true, data: Fleet.parse(fleet) })
  expect(most).toBeLessThanOrEqual(50)
})

test('a table that is not as the contract writes it is refused', () => {
  const table = tableOf(Workload, fleet.workloads)
  const short = { ...table, columns: { ...table.columns, id: fleet.workloads.slice(1).map(({ id }) => id) } }
  expect(read('/api/v1/fleet', { ...fleet, workloads: short }).outcomes).toEqual([
    { success: false, error: expect.objectContaining({ message: expect.stringContaining('workloads') }) },
  ])
})

test('what the contract does not promise is refused, wherever it stands', () => {
  const workloads = fleet.workloads.map((row, index) => (index === 155 ? { ...row, truth: 'perhaps' } : row))
  expect(read('/api/v1/fleet', { ...fleet, workloads }).outcomes).toEqual([
    { success: false, error: expect.objectContaining({ message: expect.stringContaining('truth') }) },
  ])
})

test('what cannot be read at all is left to the page', () => {
  expect([...partsOfAnswer('/api/v1/nothing', bytesOf({}))]).toMatchObject([{ kind: 'failed' }])
  expect([...partsOfAnswer('/api/v1/fleet', new ArrayBuffer(3))]).toMatchObject([{ kind: 'failed' }])
})
