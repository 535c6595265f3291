import type { Fleet } from '@goldseam/server/contract'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { answer } from '../../test/answer.ts'
import { largeScene } from '../../test/large.ts'
import { fleetQuery } from './queries.ts'

afterEach(() => vi.unstubAllGlobals())

/** The fixture server with so many workloads; gives the addresses in the order they were asked for. */
function served(count: number): string[] {
  const scene = largeScene(count, 0)
  const asked: string[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    const { pathname, searchParams } = new URL(address, 'http://goldseam.test')
    const { status, body } = answer(scene, pathname, searchParams)
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  })
  return asked
}

test('of a large fleet the first rows are there before the rest is asked for, and then all of them at once', async () => {
  const asked = served(1_200)
  const client = new QueryClient()
  const met: number[] = []
  client
    .getQueryCache()
    .subscribe(({ query }) => met.push((query.state.data as Fleet | undefined)?.workloads.length ?? 0))
  const query = fleetQuery({ scope: {}, live: true })
  const all = (await client.fetchQuery(query)).workloads.length
  expect(all).toBeGreaterThan(1_000)
  expect(asked).toEqual(['/api/v1/fleet?first=1000', '/api/v1/fleet'])
  expect([...new Set(met)]).toEqual([0, 1_000, all])
  await client.refetchQueries({ queryKey: query.queryKey })
  expect(asked).toEqual(['/api/v1/fleet?first=1000', '/api/v1/fleet', '/api/v1/fleet'])
})

test('a small fleet is asked for once', async () => {
  const asked = served(100)
  const { workloads, more } = await new QueryClient().fetchQuery(fleetQuery({ scope: { c: 'east' }, live: true }))
  expect(workloads.length).toBeGreaterThanOrEqual(100)
  expect(more).toBeUndefined()
  expect(asked).toEqual(['/api/v1/fleet?c=east&first=1000'])
})
