import { expect, test } from 'vitest'
import type { ClusterReader } from './cluster-reader.ts'
import { discover, outliving } from './discovery.fixture.ts'
import { Roster } from './roster.ts'

const LAST_GOOD_FOR_SECONDS = 300

type Discovered = ReturnType<typeof discover>

/** A cluster as the roster has it: its name, and by which value it is known behind which endpoint. */
function readerOf(name: string, at: string): ClusterReader {
  const last = { keep: async () => {}, keepPast: async () => {} }
  return { name, at, last } as unknown as ClusterReader
}

function rosterOver(first: Discovered, second: Discovered | null = null, listed: readonly ClusterReader[] = []) {
  const both = [first, ...(second === null ? [] : [second])]
  const sources = both.map(({ discovery }) => ({
    discovery,
    readerOf: ({ name, value }: { readonly name: string; readonly value: string }) =>
      readerOf(name, `${value} behind ${discovery.url}`),
  }))
  const roster = new Roster(listed, sources, () => first.world.nowSeconds, LAST_GOOD_FOR_SECONDS)
  return {
    roster,
    read: () => roster.readers().map((reader) => `${reader.name}: ${'at' in reader ? reader.at : ''}`),
    /** Both look after so many seconds. */
    async after(seconds: number, values: readonly string[], valuesOfSecond: readonly string[] = []) {
      await first.after(seconds, { values })
      await second?.after(seconds, { values: valuesOfSecond })
    },
  }
}

const at = (url: string) => discover({ url, forgetAfterSeconds: 86_400 })

test('a name goes to who is there when who had it has been gone for as long as last good values are shown', async () => {
  const { roster, read, after } = rosterOver(at('http://a:1'), at('http://b:1'))
  await after(0, ['east'], ['east'])
  expect(read()).toEqual(['east: east behind http://a:1'])
  expect(roster.originOf('east')).toEqual({ discoveredAt: 'http://a:1', alsoAt: ['http://b:1'] })
  expect(roster.gaps().map(({ detail }) => detail)).toEqual([
    'http://b:1 holds a cluster named east too, which is not read; the one behind http://a:1 is shown. Add exclude: ["east"] there if it is the same cluster, rename: { "east": another-name } if not',
  ])
  await after(10, ['other'], ['east'])
  await after(300, ['other'], ['east'])
  expect(read()).toEqual(['east: east behind http://a:1', 'other: other behind http://a:1'])
  expect(roster.gaps()).toMatchObject([{ cluster: 'east', what: 'second cluster of this name', why: 'name taken' }])
  const [waiting] = roster.gaps()
  expect(waiting?.detail).toContain('not read yet; "east" behind http://a:1 is gone, and gives it its name soon')
  expect(waiting?.detail).not.toContain('exclude')
  await after(10, ['other'], ['east'])
  expect(read()).toEqual(['east: east behind http://b:1', 'other: other behind http://a:1'])
  expect(roster.originOf('east')).toEqual({ discoveredAt: 'http://b:1', alsoAt: [] })
  expect(roster.gaps()).toMatchObject([
    {
      cluster: 'east',
      what: 'cluster that is gone',
      detail: expect.stringMatching(
        /^"east" behind http:\/\/a:1 is gone; "east" behind http:\/\/b:1 has its name east/,
      ),
    },
  ])
  expect(roster.leftOut()).toEqual([])
  // It is the first one again.
  await after(10, ['east', 'other'], ['east'])
  expect(read()).toEqual(['east: east behind http://a:1', 'other: other behind http://a:1'])
  expect(roster.leftOut()).toMatchObject([{ cluster: 'east', text: expect.stringContaining('which is not read') }])
})

test('a value that was renamed gives way to the name as a value of its own', async () => {
  const { roster, read, after } = rosterOver(discover({ rename: { 'prod-1': 'east' } }))
  await after(0, ['prod-1'])
  await after(10, ['east'])
  expect(read()).toEqual(['east: prod-1 behind http://thanos:10902'])
  await after(301, ['east'])
  expect(read()).toEqual(['east: east behind http://thanos:10902'])
  expect(roster.gaps()).toMatchObject([{ what: 'cluster that is gone' }])
})

test('a cluster that a process before this one saw last holds its name no longer than that', async () => {
  const kept = outliving()
  await discover({ kept, url: 'http://a:1' }).after(0, { values: ['east'] })
  const { read, after } = rosterOver(discover({ kept, url: 'http://a:1' }), at('http://b:1'))
  await after(400, [], ['east'])
  expect(read()).toEqual(['east: east behind http://b:1'])
})

test('a listed one keeps its name, and one that is gone beside it is no loss', async () => {
  const { roster, read, after } = rosterOver(at('http://a:1'), null, [readerOf('east', 'its own')])
  await after(0, ['east'])
  expect(roster.leftOut()).toMatchObject([
    { cluster: 'east', text: expect.stringContaining('the one listed under clusters is shown') },
  ])
  await after(10, ['other'])
  await after(400, ['other'])
  expect(read()).toEqual(['east: its own', 'other: other behind http://a:1'])
  expect([roster.gaps(), roster.leftOut()]).toEqual([[], []])
})

test('what is not read of an endpoint is left out under its host, and is not told where nothing is known of it', async () => {
  const first = discover({ url: 'http://a:1', maxClusters: 1 })
  const { roster, after } = rosterOver(first)
  expect(roster.leftOut()).toEqual([])
  await after(0, ['east', 'west', 'no/name'])
  expect(roster.leftOut()).toEqual([
    { cluster: 'a:1', text: expect.stringContaining('"no/name", which cannot be a cluster') },
    { cluster: 'a:1', text: expect.stringContaining('1 more clusters than maxClusters (1) allows: west') },
  ])
})

test('the process ends: when the clusters were there last is written down', async () => {
  const kept = outliving()
  const { roster, after } = rosterOver(discover({ kept }))
  await after(0, ['east'])
  await after(100, ['east'])
  expect(kept.held?.get('east')).toBe(1_000)
  await roster.keep()
  expect(kept.held?.get('east')).toBe(1_100)
})
