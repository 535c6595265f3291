import { expect, test } from 'vitest'
import { allAtOnce } from '../turns.ts'
import { edgesBefore } from './as-before.ts'
import type { StitchedEdge } from './types.ts'

const edge = (differs: Partial<StitchedEdge> = {}): StitchedEdge => ({
  id: 'east/shop/web~west/shop/cart',
  from: 'east/shop/web',
  to: 'west/shop/cart',
  seam: true,
  rule: 'mirror',
  confidence: 'solid',
  evidence: ['east mirrors it'],
  destination: 'cart-west',
  via: null,
  host: null,
  callerFlows: [{ key: 'east/shop/web mirror', share: 1 }],
  callerCluster: 'east',
  measure: 'firstByte',
  attempts: 'each',
  calleeBy: { client: 'web.shop' },
  outside: false,
  ...differs,
})

test('gives the edge of before where it says the same', () => {
  const before = edge()
  expect(allAtOnce(edgesBefore([before]))(edge())).toBe(before)
})

test('and the new one where it says anything else', () => {
  const others: readonly Partial<StitchedEdge>[] = [
    { id: 'another' },
    { from: 'east/shop/other' },
    { to: 'west/shop/other' },
    { seam: false },
    { rule: 'labels' },
    { confidence: 'dashed' },
    { evidence: [] },
    { evidence: ['west says so'] },
    { destination: null },
    { via: 'west/edge/ingress' },
    { host: 'cart.west' },
    { callerFlows: [{ key: 'east/shop/web mirror', share: 0.5 }] },
    { callerFlows: [] },
    { callerCluster: 'north' },
    { measure: 'full' },
    { attempts: 'effective' },
    { calleeBy: null },
    { calleeBy: { host: 'web.shop' } },
    { calleeBy: { client: 'other.shop' } },
    { outside: true },
  ]
  const asBefore = allAtOnce(edgesBefore([edge()]))
  // None of what an edge says is left out here.
  expect(new Set(others.flatMap(Object.keys))).toEqual(new Set(Object.keys(edge())))
  for (const differs of others) {
    const now = edge(differs)
    expect(asBefore(now)).toBe(now)
  }
})

test('of a guess beside it as well', () => {
  const beside = (differs: Partial<StitchedEdge> = {}) => edge({ guess: edge({ confidence: 'dotted', ...differs }) })
  const asBefore = allAtOnce(edgesBefore([beside()]))
  const before = asBefore(beside())
  expect(asBefore(beside())).toBe(before)
  for (const now of [edge(), beside({ callerFlows: [] })]) expect(asBefore(now)).toBe(now)
})
