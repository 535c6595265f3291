import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Picture } from '../domain/picture.ts'
import type { Turns } from '../domain/turns.ts'
import type { ClusterReading } from './cluster-reading.ts'
import { EarlyPicture } from './early-picture.ts'
import type { Around } from './surroundings.ts'

const [east, west, whole] = [{}, {}, {}] as ClusterReading[] as [ClusterReading, ClusterReading, ClusterReading]
const PICTURE = {} as Picture
const AROUND: Around = new Map()

function drawing(signal = new AbortController().signal, picture: () => Turns<Picture> = drawnAtOnce) {
  const drawnFrom: (readonly ClusterReading[])[] = []
  const early = new EarlyPicture(2, signal, (readings) => {
    drawnFrom.push(readings)
    return { picture: picture(), around: AROUND }
  })
  return { early, drawnFrom }
}

function* drawnAtOnce(): Turns<Picture> {
  yield
  return PICTURE
}

test('is drawn once, when everybody has told something and somebody not yet everything', async () => {
  const { early, drawnFrom } = drawing()
  early.told(1, west)
  await nextTurn()
  expect(drawnFrom).toEqual([])
  early.told(0, east)
  early.arrived(0, whole)
  await nextTurn()
  expect(drawnFrom).toEqual([[east, west]])
  expect(drawnFrom[0]?.[0]).toBe(east)
  expect(await early.drawn()).toEqual({ picture: PICTURE, around: AROUND })
  early.arrived(1, whole)
  await nextTurn()
  expect(drawnFrom).toHaveLength(1)
})

test('a cluster that tells everything at once has told what comes first, too', async () => {
  const { early, drawnFrom } = drawing()
  early.arrived(0, whole)
  early.told(1, west)
  await nextTurn()
  expect(drawnFrom).toEqual([[whole, west]])
})

test('is not drawn where nothing is left to wait for', async () => {
  const { early, drawnFrom } = drawing()
  early.told(0, east)
  early.told(1, west)
  early.arrived(0, whole)
  early.arrived(1, whole)
  await nextTurn()
  expect(drawnFrom).toEqual([])
  expect(await early.drawn()).toBeNull()
})

test('nor for viewers who have left', async () => {
  const leaving = new AbortController()
  const { early, drawnFrom } = drawing(leaving.signal)
  early.told(0, east)
  early.told(1, west)
  leaving.abort()
  await nextTurn()
  expect(drawnFrom).toEqual([])
})

test('what arrives while it is drawn waits for it, and others have their turn meanwhile', async () => {
  let turns = 0
  let drawn = false
  const { early } = drawing(undefined, function* () {
    for (let piece = 0; piece < 10; piece += 1) {
      busyMs(11)
      yield
    }
    drawn = true
    return PICTURE
  })
  const count = () => {
    turns += 1
    if (!drawn) setImmediate(count)
  }
  count()
  early.told(0, east)
  early.told(1, west)
  await nextTurn()
  early.arrived(0, whole)
  early.arrived(1, whole)
  expect(drawn).toBe(false)
  expect((await early.drawn())?.picture).toBe(PICTURE)
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('is given up where viewers leave while it is drawn', async () => {
  const leaving = new AbortController()
  let pieces = 0
  const { early } = drawing(leaving.signal, function* () {
    for (;;) {
      pieces += 1
      busyMs(11)
      yield
    }
  })
  early.told(0, east)
  early.told(1, west)
  await nextTurn()
  leaving.abort()
  expect(await early.drawn()).toBeNull()
  expect(pieces).toBeLessThanOrEqual(3)
})

test('what goes wrong with it is left to whoever draws at the end', async () => {
  const early = new EarlyPicture(1, new AbortController().signal, () => {
    throw new Error('cannot be drawn')
  })
  early.told(0, east)
  await nextTurn()
  expect(await early.drawn()).toBeNull()
})

function busyMs(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}
