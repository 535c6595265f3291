import { type Fleet, Fleet as FleetShape } from '@goldseam/server/contract'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { answer } from '../../test/answer.ts'
import { largeScene } from '../../test/large.ts'
import { fleetQuery } from './queries.ts'

afterEach(() => vi.unstubAllGlobals())

/**
 * The fixture server with so many workloads, its answers changed on their way; gives the addresses in the order they
 * were asked for.
 */
function served(count: number, changed = (body: unknown) => body): string[] {
  const scene = largeScene(count, 0)
  const asked: string[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    const { pathname, searchParams } = new URL(address, 'http://goldseam.test')
    const { status, body } = answer(scene, pathname, searchParams)
    return new Response(JSON.stringify(changed(body)), { status, headers: { 'content-type': 'application/json' } })
  })
  return asked
}

const [FIRST, ALL] = ['/api/v1/fleet?first=1000&as=table', '/api/v1/fleet?as=table']
const live = { scope: {}, live: true } as const

test('of a large fleet the first rows are there before the rest is asked for, and then all of them at once', async () => {
  const asked = served(1_200)
  const client = new QueryClient()
  const met: number[] = []
  client
    .getQueryCache()
    .subscribe(({ query }) => met.push((query.state.data as Fleet | undefined)?.workloads.length ?? 0))
  const query = fleetQuery(live)
  const all = (await client.fetchQuery(query)).workloads.length
  expect(all).toBeGreaterThan(1_000)
  expect(asked).toEqual([FIRST, ALL])
  expect([...new Set(met)]).toEqual([0, 1_000, all])
  await client.refetchQueries({ queryKey: query.queryKey })
  expect(asked).toEqual([FIRST, ALL, ALL])
})

test('a small fleet is asked for once', async () => {
  const asked = served(100)
  const { workloads, more } = await new QueryClient().fetchQuery(fleetQuery({ scope: { c: 'east' }, live: true }))
  expect(workloads.length).toBeGreaterThanOrEqual(100)
  expect(more).toBeUndefined()
  expect(asked).toEqual(['/api/v1/fleet?c=east&first=1000&as=table'])
})

describe('the workloads of a fleet come as a table', () => {
  const { fleet } = largeScene(100, 0)
  /** The table of an answer, to be looked at or changed. */
  const tableIn = (body: unknown) =>
    (body as { workloads: { rows: number; columns: Record<string, unknown> } }).workloads
  const read = () => new QueryClient().fetchQuery({ ...fleetQuery(live), retry: false })

  test('and are the rows that it was made of', async () => {
    const rows: number[] = []
    served(100, (body) => {
      rows.push(tableIn(body).rows)
      return body
    })
    expect(await read()).toEqual(FleetShape.parse(fleet))
    expect(rows).toEqual([fleet.workloads.length])
  })

  test('or as rows, from servers and saved evidence that have no table', async () => {
    served(100, () => fleet)
    expect(await read()).toEqual(FleetShape.parse(fleet))
  })

  test.each([
    ['lacks a column', { id: undefined }],
    ['has too few values', { id: ['one'] }],
    ['has another value than promised', { id: fleet.workloads.map(() => 7) }],
  ])('and one that %s is of another version', async (_, columns) => {
    served(100, (body) => {
      Object.assign(tableIn(body).columns, columns)
      return body
    })
    await expect(read()).rejects.toMatchObject({
      problem: { detail: 'The server speaks another version of this page: reload it.' },
    })
  })
})
