import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ClusterReading } from './cluster-reading.ts'
import { type Drawn, EarlyPicture } from './early-picture.ts'

const [east, west, whole] = [{}, {}, {}] as ClusterReading[] as [ClusterReading, ClusterReading, ClusterReading]
const DRAWN = {} as Drawn

function drawing(signal = new AbortController().signal) {
  const drawnFrom: (readonly ClusterReading[])[] = []
  const early = new EarlyPicture(2, signal, (readings) => {
    drawnFrom.push(readings)
    return DRAWN
  })
  return { early, drawnFrom }
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
  expect(early.drawn).toBe(DRAWN)
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
  expect(early.drawn).toBeNull()
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

test('what goes wrong with it is left to whoever draws at the end', async () => {
  const early = new EarlyPicture(1, new AbortController().signal, () => {
    throw new Error('cannot be drawn')
  })
  early.told(0, east)
  await nextTurn()
  expect(early.drawn).toBeNull()
})
